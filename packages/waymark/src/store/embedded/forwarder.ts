import { connect, type Socket } from 'node:net';
import { StoreOpenError } from '../errors.ts';
import type { Session, SessionPeer } from './broker.ts';
import { encodeFrame, type Frame, FrameReader } from './frames.ts';
import { createHello, decodeHello, encodeHello, isProof, protocolVersion, prove } from './handshake.ts';
import type { HolderNote } from './holder-file.ts';
import type { TransactionStatus } from './wire.ts';

/** Whoever listens there is not the holder the note speaks of, or not one any more. */
export class NotTheHolderError extends Error {}

/** Opens a session with the process that holds the store. Rejects when it ends meanwhile. */
export function forwardTo(address: string, note: HolderNote, peer: SessionPeer): Promise<Session> {
  return new Promise((resolve, reject) => {
    const socket = connect(address);
    const reader = new FrameReader();
    const hello = createHello();
    let open = false;
    let trusted = false;

    const receive = ({ kind, payload }: Frame): void => {
      if (open) return receiveInSession(peer, kind, payload);
      if (kind === 'hello' && !trusted) {
        const holder = decodeHello(payload);
        const proof = payload.subarray(encodeHello(holder).length);
        if (!isProof(proof, prove('holder', note.secret, hello, holder))) {
          throw new NotTheHolderError('another program uses the local socket of this data directory');
        }
        if (holder.version !== protocolVersion) throw versionMismatch(note.pid);
        trusted = true;
        reader.limit = 0xff_ff_ff_ff;
        socket.write(encodeFrame('proof', prove('forwarder', note.secret, hello, holder)));
      } else if (kind === 'ready' && trusted) {
        open = true;
        resolve(sessionOn(socket));
      } else if (kind === 'refused' && trusted) {
        throw new StoreOpenError(payload.toString('utf8'));
      } else {
        throw new Error(`unexpected ${kind}`);
      }
    };

    let failure: Error | undefined;
    socket.on('connect', () => socket.write(encodeFrame('hello', encodeHello(hello))));
    socket.on('data', (chunk: Buffer) => {
      try {
        for (const frame of reader.push(chunk)) receive(frame);
      } catch (error) {
        socket.destroy(error instanceof Error ? error : undefined);
      }
    });
    socket.on('error', (error) => {
      failure = error;
    });
    socket.on('close', () => {
      const reason = failure ?? new Error('the process that held the store ended');
      if (open) peer.lost(reason);
      else reject(reason);
    });
  });
}

function receiveInSession(peer: SessionPeer, kind: Frame['kind'], payload: Buffer): void {
  if (kind === 'started') void peer.started();
  else if (kind === 'reply') peer.reply(payload.subarray(1), statusOf(payload));
  else if (kind === 'notification') peer.notified(payload);
  else throw new Error(`unexpected ${kind}`);
}

function statusOf(payload: Buffer): TransactionStatus | undefined {
  const status = payload.toString('latin1', 0, 1);
  return status === '-' ? undefined : (status as TransactionStatus);
}

function sessionOn(socket: Socket): Session {
  return {
    submit: (batch) => {
      socket.write(encodeFrame('batch', batch));
    },
    close: () => {
      socket.removeAllListeners('close');
      socket.end();
      socket.unref();
    },
  };
}

function versionMismatch(pid: number): StoreOpenError {
  return new StoreOpenError(
    `Another version of Waymark (process ${pid}) has this data directory open, and the two cannot share it. Close that one, or run the same version.`,
  );
}
