/** The part of JSON Schema that forms understand; anything else is edited as JSON. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}

export type FieldKind = 'text' | 'longText' | 'number' | 'integer' | 'boolean' | 'choice' | 'object' | 'list' | 'json';

/** How a value of this schema is best entered. `null` in a union means the field may be left empty. */
export function fieldKind(schema: Schema): FieldKind {
  const plain = withoutNull(schema);
  if (plain.enum?.every((value) => typeof value === 'string')) return 'choice';
  const type = Array.isArray(plain.type) ? plain.type.find((name) => name !== 'null') : plain.type;
  switch (type) {
    case 'string':
      return (plain.maxLength ?? 0) > 600 || /text|description|body|message|prompt/i.test(plain.title ?? '')
        ? 'longText'
        : 'text';
    case 'number':
      return 'number';
    case 'integer':
      return 'integer';
    case 'boolean':
      return 'boolean';
    case 'object':
      return plain.properties && Object.keys(plain.properties).length > 0 ? 'object' : 'json';
    case 'array':
      return plain.items && ['text', 'choice', 'number', 'integer'].includes(fieldKind(plain.items)) ? 'list' : 'json';
    default:
      return 'json';
  }
}

/** A union with null, without the null. */
export function withoutNull(schema: Schema): Schema {
  const options = (schema.anyOf ?? schema.oneOf)?.filter((option) => option.type !== 'null');
  const [only] = options ?? [];
  return options?.length === 1 && only
    ? { ...only, ...(schema.description ? { description: schema.description } : {}) }
    : schema;
}

/** What the form starts with: the defaults that the schema names. */
export function initialValue(schema: Schema): Record<string, unknown> {
  const entries = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    field.default === undefined ? [] : [[name, field.default] as const],
  );
  return Object.fromEntries(entries);
}

/** The value without fields that were left empty. */
export function withoutEmpty(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined && field !== ''));
}

export function missingFields(schema: Schema, value: Record<string, unknown>): string[] {
  const filled = withoutEmpty(value);
  return (schema.required ?? []).filter((name) => !(name in filled));
}
