import { factOf, plainName } from './choose.ts';
import type { Facts, ProcedureTool } from './model.ts';

interface Property {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly pattern?: string;
  readonly format?: string;
  readonly items?: Property;
}

export function propertiesOf({ parameters }: ProcedureTool): Readonly<Record<string, Property>> {
  return (parameters['properties'] ?? {}) as Record<string, Property>;
}

export function requiredOf({ parameters }: ProcedureTool): readonly string[] {
  return Array.isArray(parameters['required']) ? parameters['required'].map(String) : [];
}

/** The arguments of a tool as far as facts give them, and the first that is missing. */
export function argumentsFrom(
  tool: ProcedureTool,
  facts: Facts,
): { readonly known: Record<string, unknown>; readonly missing: string | undefined } {
  const properties = propertiesOf(tool);
  const known: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties)) {
    const fact = facts[name] ?? factOf(name, facts);
    const value = Array.isArray(fact) ? fact : isScalar(fact) ? readValue(String(fact), property) : undefined;
    if (value !== undefined) known[name] = value;
  }
  return { known, missing: requiredOf(tool).find((name) => known[name] === undefined) };
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** Reads what a person said as a value of that kind; undefined when it is none. */
export function readValue(said: string, property: Property): unknown {
  const text = said.trim();
  if (text === '') return undefined;
  if (property.enum)
    return property.enum.find((one) => typeof one === 'string' && text.toLowerCase().includes(one.toLowerCase()));
  if (property.type === 'number' || property.type === 'integer') {
    const number = Number(/-?\d+(?:\.\d+)?/.exec(text)?.[0] ?? Number.NaN);
    return Number.isNaN(number) ? undefined : number;
  }
  if (property.type === 'boolean')
    return /^(?:yes|true|y)\b/i.test(text) ? true : /^(?:no|false|n)\b/i.test(text) ? false : undefined;
  if (property.type === 'array') return text.split(/\s*(?:,|\band\b|\s)\s*/).filter(Boolean);
  const pattern = patternOf(property);
  return pattern ? pattern.exec(text)?.[0] : text;
}

/** Values that can be told from anything else by their look, wherever in a message they stand. */
export function factsIn(message: string, tools: readonly ProcedureTool[]): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const tool of tools) {
    for (const [name, property] of Object.entries(propertiesOf(tool))) {
      const value = patternOf(property)?.exec(message)?.[0] ?? enumIn(message, property);
      if (value !== undefined) found[name] ??= value;
    }
  }
  return found;
}

function enumIn(message: string, property: Property): unknown {
  const named = (property.enum ?? []).filter((one): one is string => typeof one === 'string' && one.length > 6);
  return named.find((one) => message.toLowerCase().includes(one.toLowerCase()));
}

function patternOf({ pattern, format }: Property): RegExp | undefined {
  if (format === 'email') return /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/;
  if (pattern === undefined) return undefined;
  try {
    return new RegExp(`(?<![\\w-])(?:${pattern.replace(/^\^/, '').replace(/\$$/, '')})(?![\\w-])`, 'i');
  } catch {
    return undefined;
  }
}

/** A question for a value: "What is the order id?", with the choices where there are some. */
export function askFor(name: string, property: Property | undefined): string {
  const words = plainName(name).replaceAll('_', ' ');
  const choices = (property?.enum ?? []).map(String);
  if (choices.length > 0) return `What is the ${words}: ${choices.map((choice) => `'${choice}'`).join(' or ')}?`;
  return property?.type === 'array'
    ? `Which ${words}? You can name several, separated by commas.`
    : `What is the ${words}?`;
}
