import { Ajv2020 } from 'ajv/dist/2020.js';

export const text = { type: 'string' };
export const count = { type: 'integer' };
export const yes = { type: 'boolean' };
export const number = { type: 'number' };
export const texts = { type: 'array', items: text };
export const anything = { type: 'object' };
export const to = (name: string) => ({ $ref: `#/$defs/${name}` });
export const listOf = (name: string) => ({ type: 'array', items: to(name) });

/** An object that has these fields, and may have those. */
export const only = (required: object, optional: object = {}) => ({
  type: 'object',
  properties: { ...required, ...optional },
  required: Object.keys(required),
  additionalProperties: false,
});

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });

/** Tells what is wrong with a value by one of the definitions of an API; empty if nothing is. */
export function schemas<Name extends string>(api: string, definitions: Readonly<Record<Name, object>>) {
  ajv.addSchema({ $id: api, $defs: definitions });
  return (name: Name, value: unknown): string => {
    const validate = ajv.getSchema(`${api}#/$defs/${name}`);
    return validate?.(value) ? '' : ajv.errorsText(validate?.errors, { dataVar: name });
  };
}
