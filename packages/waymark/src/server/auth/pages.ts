import { type Scope, scopes as scopeWords } from '../../kit/index.ts';

const style = `
:root{color-scheme:light dark;--paper:#f6f7f9;--card:#fff;--ink:#16181d;--soft:#5b6270;--line:#d5d9e0;--accent:#2455c3;--on-accent:#fff;--bad:#b3261e}
@media(prefers-color-scheme:dark){:root{--paper:#14161a;--card:#1d2026;--ink:#eceef2;--soft:#a4abb8;--line:#363b45;--accent:#8fb1ff;--on-accent:#0d1a38;--bad:#ffb4ab}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif;padding:1rem}
main{width:100%;max-width:26rem;background:var(--card);border:1px solid var(--line);border-radius:12px;padding:2rem}
h1{font-size:1.375rem;line-height:1.3;margin:0 0 .5rem}
p{margin:.5rem 0}
.mark{font-weight:600;letter-spacing:.02em;color:var(--soft);margin:0 0 1.5rem}
.soft{color:var(--soft);font-size:.9375rem}
label{display:block;margin:1rem 0 .25rem;font-weight:600}
input{width:100%;padding:.625rem .75rem;font:inherit;color:inherit;background:transparent;border:1px solid var(--soft);border-radius:8px}
ul{margin:1rem 0;padding-left:1.25rem}
li{margin:.25rem 0}
button{font:inherit;font-weight:600;padding:.625rem 1.125rem;border-radius:8px;border:1px solid var(--accent);background:var(--accent);color:var(--on-accent);cursor:pointer}
button.quiet{background:transparent;color:var(--ink);border-color:var(--soft)}
button:focus-visible,input:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.row{display:flex;gap:.75rem;margin-top:1.5rem}
.alert{border-left:4px solid var(--bad);padding:.5rem .75rem;margin:1rem 0;color:var(--bad)}
dl{margin:1rem 0;display:grid;grid-template-columns:auto 1fr;gap:.25rem .75rem}
dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
`;

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"'`]/g, (character) => `&#${character.codePointAt(0)};`);
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)} · Waymark</title><style>${style}</style></head>
<body><main><p class="mark">Waymark</p>${body}</main></body>
</html>
`;
}

export interface LoginPage {
  readonly action: string;
  readonly csrf: string;
  readonly clientName: string;
  readonly userName?: string;
  readonly problem?: string;
  readonly noAccounts: boolean;
}

export function loginPage({ action, csrf, clientName, userName = '', problem, noAccounts }: LoginPage): string {
  const alert = problem ? `<p class="alert" role="alert">${escapeHtml(problem)}</p>` : '';
  const setUp = noAccounts
    ? '<p class="alert">There is no account yet. On the server, run <code>waymark users add NAME --password</code> first.</p>'
    : '';
  return page(
    'Sign in',
    `<h1>Sign in</h1>
<p class="soft">to continue to ${escapeHtml(clientName)}</p>${setUp}${alert}
<form method="post" action="${escapeHtml(action)}">
<input type="hidden" name="csrf" value="${escapeHtml(csrf)}">
<label for="user">Name</label>
<input id="user" name="user" autocomplete="username" autocapitalize="none" spellcheck="false" required maxlength="200" value="${escapeHtml(userName)}">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required maxlength="1000">
<div class="row"><button type="submit">Sign in</button></div>
</form>`,
  );
}

export interface ConsentPage {
  readonly allowAction: string;
  readonly denyAction: string;
  readonly csrf: string;
  readonly clientName: string;
  /** Where a metadata document vouches for the client. */
  readonly clientHost?: string | undefined;
  readonly redirectHost: string;
  readonly redirectsToThisDevice: boolean;
  readonly userName: string;
  readonly scopes: readonly string[];
}

export function consentPage(options: ConsentPage): string {
  const words = options.scopes.map((scope) => scopeWords[scope as Scope]).filter(Boolean);
  const list = words.map((sentence) => `<li>${escapeHtml(sentence)}</li>`).join('');
  const device = options.redirectsToThisDevice
    ? '<p class="alert">This program runs on your own device and cannot prove its name. Allow it only if you have just started it.</p>'
    : '';
  const vouched = options.clientHost ? `<dt>Published by</dt><dd>${escapeHtml(options.clientHost)}</dd>` : '';
  const form = (action: string, label: string, kind: string) =>
    `<form method="post" action="${escapeHtml(action)}"><input type="hidden" name="csrf" value="${escapeHtml(options.csrf)}"><button class="${kind}" type="submit">${label}</button></form>`;
  return page(
    'Allow access',
    `<h1>${escapeHtml(options.clientName)} asks for access</h1>
<p class="soft">You are signed in as ${escapeHtml(options.userName)}.</p>${device}
<p>It will be able to:</p><ul>${list || '<li>Know who you are</li>'}</ul>
<dl><dt>Sends you back to</dt><dd>${escapeHtml(options.redirectHost)}</dd>${vouched}</dl>
<div class="row">${form(options.allowAction, 'Allow', '')}${form(options.denyAction, 'Cancel', 'quiet')}</div>`,
  );
}

export function errorPage(code: string, description = ''): string {
  return page(
    'Cannot continue',
    `<h1>This cannot continue</h1><p>${escapeHtml(description || 'The request was not understood.')}</p>
<p class="soft">Go back to the program you came from and connect again. (${escapeHtml(code)})</p>`,
  );
}
