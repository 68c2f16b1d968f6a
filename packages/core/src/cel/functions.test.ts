import { describe, expect, it } from 'vitest';
import { createEvaluator } from './create.js';
import { FUNCTIONS } from './functions.js';
import { MACROS } from './macros/index.js';
import { NoResources } from './resource-set.test-support.js';

const SHOP = { kind: 'Namespace', metadata: { name: 'shop' } };
const WEB = { metadata: { name: 'web', namespace: 'shop' } };

/** A Namespace, and in it a Pod and a Service of the same name. */
class OneNamespace extends NoResources {
  override inNamespace(_kind: string, namespace: string): readonly unknown[] {
    return namespace === 'shop' ? [WEB] : [];
  }

  override having(): readonly unknown[] {
    return [WEB];
  }

  override across(): readonly unknown[] {
    return [WEB];
  }

  override selected(): readonly unknown[] {
    return [WEB];
  }

  override selecting(): readonly unknown[] {
    return [WEB];
  }

  override boundRules(): readonly unknown[] {
    return [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
  }

  override ofKind(kind: string): readonly unknown[] {
    return kind === 'Namespace' ? [SHOP] : [];
  }

  override lookup(kind: string, _namespace: string, name: string): unknown {
    return kind === 'Namespace' && name === 'shop' ? SHOP : undefined;
  }
}

describe('the function table', () => {
  const evaluator = createEvaluator();

  it.each([...FUNCTIONS, ...MACROS].map(({ signature, example }) => ({ signature, example })))(
    '$signature does what its example says',
    ({ example }) => {
      const program = evaluator.compile(example, { variables: ['resources'], maxNodes: 2000, maxNesting: 3 });
      expect(program.evaluate({ resources: new OneNamespace() })).toBe(true);
    },
  );
});
