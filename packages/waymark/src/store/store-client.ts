import pg from 'pg';
import { asStoreError } from './errors.ts';

type Callback = (error: unknown, ...rest: unknown[]) => void;

/** A `pg.Client` whose lost connections are one kind of error, whoever asked and however. */
export class StoreClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    // A connection may break while nobody has a query on it, between two of a transaction for example. The next
    // query tells; without a listener the event alone would end the process.
    this.on('error', () => {});
  }

  override emit(event: string | symbol, ...parameters: unknown[]): boolean {
    if (event === 'error') return super.emit(event, asStoreError(parameters[0]));
    return super.emit(event, ...parameters);
  }

  override query = ((...parameters: unknown[]): unknown => {
    const last = parameters.at(-1);
    if (typeof last === 'function') {
      const callback = last as Callback;
      parameters[parameters.length - 1] = (error: unknown, ...rest: unknown[]) =>
        callback(error ? asStoreError(error) : error, ...rest);
    }
    const query = super.query as (...parameters: unknown[]) => unknown;
    const answer = query.apply(this, parameters);
    if (!(answer instanceof Promise)) return answer;
    return answer.catch((error: unknown) => {
      throw asStoreError(error);
    });
  }) as pg.Client['query'];

  override connect = ((callback?: Callback): unknown => {
    const connect = super.connect as (callback?: Callback) => Promise<void> | undefined;
    if (callback) return connect.call(this, (error, ...rest) => callback(error ? asStoreError(error) : error, ...rest));
    return connect.call(this)?.catch((error: unknown) => {
      throw asStoreError(error);
    });
  }) as pg.Client['connect'];
}
