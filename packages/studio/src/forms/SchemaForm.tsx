import { Fieldset, JsonInput, NumberInput, Select, Stack, Switch, TagsInput, Textarea, TextInput } from '@mantine/core';
import { fieldKind, type Schema, withoutNull } from './schema.ts';

interface SchemaFormProps {
  readonly schema: Schema;
  readonly value: Record<string, unknown>;
  readonly onChange: (value: Record<string, unknown>) => void;
}

/** A form for an object described by a JSON Schema. */
export function SchemaForm({ schema, value, onChange }: SchemaFormProps) {
  const fields = Object.entries(schema.properties ?? {});
  return (
    <Stack gap="sm">
      {fields.map(([name, field]) => (
        <Field
          key={name}
          name={name}
          schema={withoutNull(field)}
          required={schema.required?.includes(name) ?? false}
          value={value[name]}
          onChange={(changed) => onChange({ ...value, [name]: changed })}
        />
      ))}
    </Stack>
  );
}

interface FieldProps {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

function Field({ name, schema, required, value, onChange }: FieldProps) {
  const shared = { label: schema.title ?? name, description: schema.description, required };
  const text = typeof value === 'string' ? value : '';
  switch (fieldKind({ ...schema, title: schema.title ?? name })) {
    case 'choice':
      return (
        <Select
          {...shared}
          data={(schema.enum ?? []) as string[]}
          value={text || null}
          clearable={!required}
          onChange={(choice) => onChange(choice ?? undefined)}
        />
      );
    case 'text':
      return <TextInput {...shared} value={text} onChange={(event) => onChange(event.currentTarget.value)} />;
    case 'longText':
      return (
        <Textarea
          {...shared}
          autosize
          minRows={2}
          maxRows={12}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    case 'number':
    case 'integer':
      return (
        <NumberInput
          {...shared}
          allowDecimal={schema.type !== 'integer'}
          {...(schema.minimum === undefined ? {} : { min: schema.minimum })}
          {...(schema.maximum === undefined ? {} : { max: schema.maximum })}
          value={typeof value === 'number' ? value : ''}
          onChange={(number) => onChange(typeof number === 'number' ? number : undefined)}
        />
      );
    case 'boolean':
      return (
        <Switch
          label={shared.label}
          description={shared.description}
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case 'list':
      return (
        <TagsInput
          {...shared}
          placeholder="Type and press Enter"
          value={(value as string[] | undefined) ?? []}
          onChange={(items) => onChange(listOf(schema, items))}
        />
      );
    case 'object':
      return (
        <Fieldset legend={shared.label}>
          <SchemaForm
            schema={schema}
            value={(value as Record<string, unknown> | undefined) ?? {}}
            onChange={onChange}
          />
        </Fieldset>
      );
    case 'json':
      return <JsonField {...shared} value={value} onChange={onChange} />;
  }
}

function listOf(schema: Schema, items: string[]): unknown {
  if (items.length === 0) return undefined;
  const kind = schema.items ? fieldKind(schema.items) : 'text';
  return kind === 'number' || kind === 'integer' ? items.map(Number) : items;
}

function JsonField({
  value,
  onChange,
  ...shared
}: {
  label: string;
  description: string | undefined;
  required: boolean;
  value: unknown;
  onChange: (value: unknown) => void;
}) {
  return (
    <JsonInput
      {...shared}
      autosize
      minRows={2}
      maxRows={14}
      formatOnBlur
      validationError="This is not valid JSON"
      defaultValue={value === undefined ? '' : JSON.stringify(value, null, 2)}
      onChange={(text) => {
        try {
          onChange(text.trim() === '' ? undefined : (JSON.parse(text) as unknown));
        } catch {
          // Kept as it was until the text is JSON again; the field says that it is not.
        }
      }}
    />
  );
}
