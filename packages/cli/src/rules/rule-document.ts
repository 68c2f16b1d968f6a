import { type Catalogue, knownRule, type PackSetting, type RuleDetail, type RuleLogic } from '@bylaw/core/rule';

/** The body of `GET /api/v1/rules/{rule_id}`: the whole rule, and the settings of its pack that it reads. */
export interface RuleDocument extends RuleDetail {
  pack: string;
  config: { [name: string]: PackSetting };
}

/**
 * One rule in full. The identifier is taken in any case.
 * @throws {BylawError} `rule-unknown`, naming the nearest one
 */
export function getRule(catalogue: Catalogue, id: string): RuleDocument {
  const known = knownRule(catalogue, id);
  const detail = catalogue.detail(known);
  const pack = catalogue.packOf(known);
  if (!detail || !pack) throw new Error(`the catalogue lists ${known} but does not contain it`);
  const read = settingsRead(detail.logic);
  const config = Object.fromEntries(Object.entries(pack.settings).filter(([name]) => read.has(name)));
  return { ...detail, pack: pack.name, config };
}

/** Names after `config.` in any expression of the rule. */
function settingsRead(logic: readonly RuleLogic[]): Set<string> {
  const expressions = logic.flatMap(({ each, when, expression, line, message, edit }) =>
    [each, when, expression, line, message, edit?.when].flat(),
  );
  return new Set(expressions.flatMap((text) => [...(text ?? '').matchAll(/\bconfig\.\??(\w+)/g)].map((match) => match[1] ?? '')));
}
