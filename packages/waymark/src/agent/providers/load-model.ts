import type { LanguageModelV3 } from '@ai-sdk/provider';
import { nearest } from '../../kit/index.ts';
import type { TurnModel } from '../loop.ts';
import { adaptLanguageModel, type ModelSettings } from './language-model.ts';

/** The model cannot be had: unknown, or its key is missing. The message says what to do. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
}

type Environment = Readonly<Record<string, string | undefined>>;
type Load = (name: string, environment: Environment) => Promise<LanguageModelV3>;

/** Servers that speak the chat completions of OpenAI, by the address they listen on by default. */
const compatible: Readonly<Record<string, { readonly url: string; readonly variable: string }>> = {
  ollama: { url: 'http://127.0.0.1:11434/v1', variable: 'OLLAMA_BASE_URL' },
  lmstudio: { url: 'http://127.0.0.1:1234/v1', variable: 'LMSTUDIO_BASE_URL' },
  vllm: { url: 'http://127.0.0.1:8000/v1', variable: 'VLLM_BASE_URL' },
};

const loaders: Readonly<Record<string, Load>> = {
  async openai(name, environment) {
    const { createOpenAI } = await import('@ai-sdk/openai');
    return createOpenAI({
      apiKey: key(environment, 'openai', 'OPENAI_API_KEY'),
      ...base(environment, 'OPENAI_BASE_URL'),
    })(name);
  },
  async anthropic(name, environment) {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return createAnthropic({
      apiKey: key(environment, 'anthropic', 'ANTHROPIC_API_KEY'),
      ...base(environment, 'ANTHROPIC_BASE_URL'),
    })(name);
  },
  async google(name, environment) {
    const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
    const apiKey = key(environment, 'google', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY');
    return createGoogleGenerativeAI({ apiKey, ...base(environment, 'GOOGLE_BASE_URL') })(name);
  },
  ...Object.fromEntries(
    Object.entries(compatible).map(([provider, { url, variable }]): [string, Load] => [
      provider,
      (name, environment) => compatibleModel(provider, environment[variable] || url, name, environment),
    ]),
  ),
};

/** Loads a language model by `provider/name`, or `http://host/v1#name` for any OpenAI-compatible server. */
export async function loadModel(
  choice: string,
  environment: Environment,
  settings: ModelSettings = {},
): Promise<TurnModel> {
  return adaptLanguageModel(choice, await languageModel(choice, environment), settings);
}

async function languageModel(choice: string, environment: Environment): Promise<LanguageModelV3> {
  const address = /^(https?:\/\/[^#]+)#(.+)$/.exec(choice);
  if (address?.[1] && address[2]) return compatibleModel('compatible', address[1], address[2], environment);
  const [provider = '', ...rest] = choice.split('/');
  const name = rest.join('/');
  const load = loaders[provider];
  if (!load || !name) throw new ModelError(unknown(choice, provider, name));
  return load(name, environment);
}

async function compatibleModel(
  provider: string,
  url: string,
  name: string,
  environment: Environment,
): Promise<LanguageModelV3> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const apiKey = environment['WAYMARK_MODEL_KEY'];
  return createOpenAICompatible({ name: provider, baseURL: url, includeUsage: true, ...(apiKey ? { apiKey } : {}) })(
    name,
  );
}

function unknown(choice: string, provider: string, name: string): string {
  const known = Object.keys(loaders);
  if (provider in loaders && !name) return `Model "${choice}" has no name; write it as ${provider}/name`;
  const suggestion = nearest(provider, known);
  const hint = suggestion
    ? `did you mean "${suggestion}/${name || 'name'}"?`
    : `known providers: ${known.join(', ')}, or http://host/v1#name`;
  return `Unknown model "${choice}"; ${hint}`;
}

function key(environment: Environment, provider: string, ...variables: readonly string[]): string {
  const found = variables.map((variable) => environment[variable]).find(Boolean);
  if (found) return found;
  throw new ModelError(`The ${provider} models need a key: set ${variables[0]}`);
}

function base(environment: Environment, variable: string): { baseURL?: string } {
  const url = environment[variable];
  return url ? { baseURL: url } : {};
}
