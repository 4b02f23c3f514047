/** A person with a browser that keeps cookies, follows redirects and fills in forms. */
export class Person {
  readonly #jar = new Map<string, string>();

  /** Loads a page and follows redirects until one leads to the client's own address. */
  async visit(address: string | URL, form?: Record<string, string>): Promise<Page> {
    let url = new URL(address);
    let body = form ? new URLSearchParams(form) : undefined;
    for (let hop = 0; hop < 12; hop++) {
      const response = await fetch(url, {
        method: body ? 'POST' : 'GET',
        redirect: 'manual',
        headers: {
          cookie: [...this.#jar].map(([name, value]) => `${name}=${value}`).join('; '),
          ...(body ? { origin: url.origin } : {}),
        },
        ...(body ? { body } : {}),
      });
      for (const cookie of response.headers.getSetCookie()) this.#keep(cookie);
      const location = response.headers.get('location');
      if (!location) return { url, status: response.status, html: await response.text(), headers: response.headers };
      url = new URL(location, url);
      body = undefined;
      if (url.pathname === '/callback') return { url, status: 0, html: '', headers: response.headers };
    }
    throw new Error('too many redirects');
  }

  /** Sends the form of a page whose action ends with the given word. */
  submit(page: Page, action: string, fields: Record<string, string> = {}): Promise<Page> {
    const [, target] = new RegExp(`action="([^"]+/${action})"`).exec(page.html) ?? [];
    const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(page.html) ?? [];
    if (!target) throw new Error(`no form for ${action} on ${page.url}: ${page.html}`);
    return this.visit(new URL(target, page.url), { csrf, ...fields });
  }

  cookies(): string {
    return [...this.#jar].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  #keep(cookie: string): void {
    const [pair = ''] = cookie.split(';');
    const separator = pair.indexOf('=');
    const [name, value] = [pair.slice(0, separator), pair.slice(separator + 1)];
    if (value === '' || /expires=Thu, 01 Jan 1970/i.test(cookie)) this.#jar.delete(name);
    else this.#jar.set(name, value);
  }
}

export interface Page {
  readonly url: URL;
  readonly status: number;
  readonly html: string;
  readonly headers: Headers;
}
