import { fault } from '../budget/budget.js';
import { isOptional, Optional } from '../optional.js';
import { Bindings, type Expansion, type Macro, type MacroCall, variableName } from './macro.js';

/** Macros on optionals. */
export const optionals: readonly Macro[] = [
  {
    signature: 'optional.optMap(ast, ast): optional<dyn>',
    form: 'optional.optMap(value, transform)',
    summary: 'An optional with the result if the value is present; otherwise absent.',
    example: '{"a": 1}.?a.optMap(v, int(v) + 1).value() == 2 && !{}.?a.optMap(v, v).hasValue()',
    variables: 1,
    loops: false,
    expand: (call) => mapOptional(call, (result) => Optional.of(result)),
  },
  {
    signature: 'optional.optFlatMap(ast, ast): optional<dyn>',
    form: 'optional.optFlatMap(value, transform)',
    summary: 'The result, which must be an optional, if the value is present; otherwise absent.',
    example: '{"a": {"b": 1}}.?a.optFlatMap(v, v.?b).value() == 1',
    variables: 1,
    loops: false,
    expand: (call) =>
      mapOptional(call, (result) => {
        if (isOptional(result)) return result;
        throw fault('the transform of optFlatMap must return an optional', call.ast);
      }),
  },
];

function mapOptional({ receiver, args, ast }: MacroCall, wrap: (result: unknown) => unknown): Expansion {
  const [variable, transform = ast] = args;
  const bindings = new Bindings([variableName(variable)]);
  return {
    async: false,
    typeCheck: (checker, _self, context) => {
      const { kind, valueType } = checker.check(receiver, context);
      if (kind !== 'optional' && kind !== 'dyn') throw fault('only an optional has this method', receiver);
      checker.check(transform, bindings.declare(context, valueType === undefined ? [] : [valueType], checker));
      return checker.getType('optional<dyn>');
    },
    evaluate: (runner, _self, context) => {
      const optional = runner.run(receiver, context);
      if (!isOptional(optional)) throw fault('only an optional has this method', receiver);
      if (!optional.hasValue()) return optional;
      return wrap(runner.run(transform, bindings.bind(context, [optional.value()], runner)));
    },
  };
}
