import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonical, written } from './canonical.js';
import type { Json } from './json.js';

describe('the canonical text', () => {
  it('is that of the example of RFC 8785, section 3.2.2', () => {
    const value = JSON.parse(`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
      "literals": [null, true, false]
    }`);
    expect(canonical(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('sorts members by UTF-16 code units, as the example of section 3.2.3', () => {
    const value = { '€': 'Euro', '\r': 'CR', '\ufb33': 'Hebrew', '1': 'One', '😀': 'Smile', '\u0080': 'Control', ö: 'Latin' };
    expect(canonical(value)).toBe('{"\\r":"CR","1":"One","\u0080":"Control","ö":"Latin","€":"Euro","😀":"Smile","\ufb33":"Hebrew"}');
  });

  it.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555554', '333333333.33333325'],
    ['41b3de4355555555', '333333333.3333333'],
    ['41b3de4355555556', '333333333.3333334'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('writes the double %s as %s (RFC 8785, appendix B)', (bits, text) => {
    expect(canonical(Buffer.from(bits, 'hex').readDoubleBE())).toBe(text);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, '\ud800', '\udc00a'])('refuses %j, which I-JSON does not have', (value) => {
    expect(() => canonical([value])).toThrow(RangeError);
    if (typeof value === 'string') expect(() => canonical({ [value]: 1 })).toThrow(RangeError);
  });

  it('leaves out members that are undefined', () => {
    const value: { [name: string]: Json } = JSON.parse('{"b":1}');
    Object.assign(value, { a: undefined });
    expect(canonical(value)).toBe('{"b":1}');
  });

  it('gives what I-JSON does not have the text of JSON.stringify if it is told to, and refuses it again afterwards', () => {
    const value = { '\ud800': ['\udc00a', Number.NaN, Number.NEGATIVE_INFINITY, -0] };
    expect(canonical(value, { beyondIJson: 'stringify' })).toBe(JSON.stringify(value));
    expect(canonical(value, { beyondIJson: 'stringify' })).toBe('{"\\ud800":["\\udc00a",null,null,0]}');
    expect(() => canonical(value)).toThrow(RangeError);
    expect(() => canonical({ '\ud800': 1 })).toThrow(RangeError);
  });

  it('takes a part that was written before as it is', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (any) => {
        const value = any as Json; // what JSON holds
        expect(canonical({ b: written(value), a: { c: written(value) } })).toBe(canonical({ b: value, a: { c: value } }));
      }),
    );
  });
});
