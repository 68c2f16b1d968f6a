import { ResourceSet } from './resource-set.js';

/** A set without resources, of which a test replaces what it looks at. */
export class NoResources extends ResourceSet {
  override readonly complete: boolean = false;

  override ofKind(_kind: string): readonly unknown[] {
    return [];
  }

  override inNamespace(_kind: string, _namespace: string): readonly unknown[] {
    return [];
  }

  override having(_kind: string, _namespace: string, _pointer: string, _text: string): readonly unknown[] {
    return [];
  }

  override across(_kind: string, _pointer: string, _text: string): readonly unknown[] {
    return [];
  }

  override selected(_kind: string, _namespace: string, _selector: unknown): readonly unknown[] {
    return [];
  }

  override selecting(_kind: string, _namespace: string, _member: string, _labels: unknown): readonly unknown[] {
    return [];
  }

  override lookup(_kind: string, _namespace: string, _name: string): unknown {
    return undefined;
  }

  override repeated(): boolean {
    return false;
  }

  override boundRules(_binding: unknown): readonly unknown[] {
    return [];
  }

  override grantText(_binding: unknown): string {
    return '';
  }

  override accountBindings(_namespace: string, _name: string): readonly unknown[] {
    return [];
  }
}
