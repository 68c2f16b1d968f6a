import { describe, expect, it } from 'vitest';
import { templatesByAddress, withoutIndices } from './terraform-templates.js';
import type { JsonObject, JsonValue } from './text/json.js';

const group = (address: string, expressions: JsonObject): JsonObject => ({ address, expressions });
const refers = (...references: string[]): JsonObject => ({ launch_template: [{ id: { references } }] });

describe('the template of a group of machines', () => {
  it('is what its expressions refer to, in the module of the group', () => {
    const plan = {
      configuration: {
        root_module: {
          resources: [
            group('aws_autoscaling_group.web', refers('aws_launch_template.web.id', 'aws_launch_template.web')),
            group('google_compute_instance_group_manager.api', {
              version: [
                {
                  instance_template: {
                    references: ['google_compute_instance_template.api.self_link', 'google_compute_instance_template.api'],
                  },
                },
              ],
            }),
            group('aws_autoscaling_group.variable', refers('var.template')),
            group('aws_s3_bucket.x', {}),
          ],
          module_calls: {
            a: {
              module: {
                module_calls: { b: { module: { resources: [group('aws_autoscaling_group.x', refers('aws_launch_template.y'))] } } },
              },
            },
          },
        },
      },
    };
    expect([...templatesByAddress(plan)]).toEqual([
      ['aws_autoscaling_group.web', 'aws_launch_template.web'],
      ['google_compute_instance_group_manager.api', 'google_compute_instance_template.api'],
      ['module.a.module.b.aws_autoscaling_group.x', 'module.a.module.b.aws_launch_template.y'],
    ]);
  });

  it('is nothing in a configuration of any other form, however deep', () => {
    let deep: JsonValue = 'aws_launch_template.x';
    let modules: JsonObject = {};
    for (let depth = 0; depth < 5000; depth += 1) {
      deep = [deep];
      modules = { module_calls: { m: { module: modules } } };
    }
    for (const root_module of [
      null,
      'x',
      [],
      { resources: [null, {}, { address: 1 }] },
      modules,
      { resources: [group('a', { launch_template: deep })] },
    ])
      expect(templatesByAddress({ configuration: { root_module } }).size).toBe(0);
    expect(templatesByAddress({}).size).toBe(0);
  });

  it('has an address without the indices that planned resources have', () => {
    expect(withoutIndices('module.a["x.y"].aws_autoscaling_group.web[12]')).toBe('module.a.aws_autoscaling_group.web');
    expect(withoutIndices('aws_instance.x')).toBe('aws_instance.x');
    expect(withoutIndices('["'.repeat(50_000))).toHaveLength(100_000);
  });
});
