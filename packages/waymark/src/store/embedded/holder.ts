import type { Socket } from 'node:net';
import type { Broker, Session } from './broker.ts';
import { deliver, encodeFrame, type Frame, FrameReader } from './frames.ts';
import { createHello, decodeHello, encodeHello, type Hello, isProof, protocolVersion, prove } from './handshake.ts';

const handshakeLimit = 10_000;

/** The holder's end of one connection: lets in who knows the secret, then is that process's session. */
export class ForwardedSession {
  readonly #socket: Socket;
  readonly #secret: () => string;
  readonly #broker: Promise<Broker>;
  readonly #reader = new FrameReader();
  readonly #deadline: NodeJS.Timeout;
  #hello: { readonly forwarder: Hello; readonly holder: Hello } | undefined;
  #trusted = false;
  #session: Session | undefined;

  constructor(socket: Socket, secret: () => string, broker: Promise<Broker>) {
    this.#socket = socket;
    this.#secret = secret;
    this.#broker = broker;
    this.#deadline = setTimeout(() => socket.destroy(), handshakeLimit);
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(this.#deadline);
      this.#session?.close();
    });
    socket.on('data', (chunk: Buffer) => {
      try {
        for (const frame of this.#reader.push(chunk)) this.#receive(frame);
      } catch {
        socket.destroy();
      }
    });
  }

  #receive({ kind, payload }: Frame): void {
    if (kind === 'hello' && !this.#hello) return this.#greet(decodeHello(payload));
    if (kind === 'proof' && this.#hello && !this.#trusted) return this.#admit(payload, this.#hello);
    if (kind === 'batch' && this.#session) return this.#session.submit(payload);
    throw new Error(`unexpected ${kind}`);
  }

  #greet(forwarder: Hello): void {
    const holder = createHello();
    this.#hello = { forwarder, holder };
    const proof = prove('holder', this.#secret(), forwarder, holder);
    this.#socket.write(encodeFrame('hello', encodeHello(holder), proof));
    if (forwarder.version !== protocolVersion) this.#socket.end();
  }

  #admit(proof: Buffer, { forwarder, holder }: { readonly forwarder: Hello; readonly holder: Hello }): void {
    if (!isProof(proof, prove('forwarder', this.#secret(), forwarder, holder))) throw new Error('wrong proof');
    this.#trusted = true;
    this.#reader.limit = 0xff_ff_ff_ff;
    clearTimeout(this.#deadline);
    this.#broker.then(
      (broker) => this.#open(broker),
      (error: Error) => this.#socket.end(encodeFrame('refused', Buffer.from(error.message))),
    );
  }

  #open(broker: Broker): void {
    const socket = this.#socket;
    if (socket.destroyed) return;
    try {
      this.#session = broker.open({
        started: () => deliver(socket, encodeFrame('started')),
        reply: (answer, status) => socket.write(encodeFrame('reply', Buffer.from(status ?? '-'), answer)),
        notified: (notification) => socket.write(encodeFrame('notification', notification)),
        lost: () => socket.end(),
      });
    } catch {
      // The store is closing; the forwarder tries again and finds the next holder.
      socket.destroy();
      return;
    }
    socket.write(encodeFrame('ready'));
  }
}
