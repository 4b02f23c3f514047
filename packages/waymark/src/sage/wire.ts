import { z } from 'zod';
import { InvalidInputError, Reply, type Scope, type ToolError } from '../kit/index.ts';

export type WidgetName = 'checkin' | 'progress' | 'graph' | 'practice';

export function widgetUri(name: WidgetName): string {
  return `ui://widget/${name}.html`;
}

export interface Presentation {
  readonly widget?: WidgetName;
  /** Whether widgets may call it, and whether only they may. */
  readonly calledBy?: 'model' | 'both' | 'widget';
  /** At most 64 characters each. */
  readonly invoking: string;
  readonly invoked: string;
}

/** The descriptor's `_meta`: the keys of MCP Apps, and their OpenAI names. */
export function descriptorMeta(
  scopes: readonly Scope[],
  { widget, calledBy = 'model', invoking, invoked }: Presentation,
) {
  const uri = widget && widgetUri(widget);
  const visibility = calledBy === 'widget' ? ['app'] : calledBy === 'both' ? ['model', 'app'] : ['model'];
  return {
    ui: { ...(uri ? { resourceUri: uri } : {}), visibility },
    ...(uri ? { 'ui/resourceUri': uri, 'openai/outputTemplate': uri } : {}),
    ...(calledBy === 'model' ? {} : { 'openai/widgetAccessible': true }),
    ...(calledBy === 'widget' ? { 'openai/visibility': 'private' } : {}),
    'openai/toolInvocation/invoking': invoking,
    'openai/toolInvocation/invoked': invoked,
    securitySchemes: securitySchemes(scopes),
  };
}

export function securitySchemes(scopes: readonly Scope[]) {
  return [{ type: 'oauth2', scopes: [...scopes] }];
}

/** The result's `_meta` for a widget. */
export function widgetMeta(
  widget: WidgetName,
  parts: { readonly callsTools?: boolean; readonly session?: string } = {},
) {
  return {
    'openai/outputTemplate': widgetUri(widget),
    ...(parts.callsTools ? { 'openai/widgetAccessible': true } : {}),
    ...(parts.session === undefined ? {} : { 'openai/widgetSessionId': parts.session }),
  };
}

export function toErrorReply(error: ToolError): Reply {
  if (error instanceof InvalidInputError) {
    return new Reply({
      structured: { error: 'INVALID_ARGUMENT', issues: error.issues },
      text: error.message,
      isError: true,
    });
  }
  if (error.code === 'INSUFFICIENT_SCOPE') {
    const scopes = (error.details['scopes'] as string[] | undefined) ?? [];
    const challenge = `Bearer error="insufficient_scope", scope="${scopes.join(' ')}", error_description="${error.message}"`;
    return new Reply({
      structured: { error: error.code, scopes },
      text: error.message,
      isError: true,
      meta: { 'mcp/www_authenticate': [challenge] },
    });
  }
  const { retry_after_ms: wait, ...details } = error.details;
  const retry = typeof wait === 'number' ? { retryAfterSeconds: Math.ceil(wait / 1000) } : {};
  return new Reply({ structured: { error: error.code, ...details, ...retry }, text: error.message, isError: true });
}

/** Text a person wrote. A null character has no place in it, nor in the store. */
export function text(most: number) {
  return z
    .string()
    .max(most)
    .overwrite((value) => value.replaceAll('\0', ''));
}

export const maxMessage = 20_000;
export const sessionId = text(200);
