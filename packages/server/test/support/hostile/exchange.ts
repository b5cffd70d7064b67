import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { HostileRequest } from './requests.ts';

/** A connection that gets no answer is left after so many milliseconds: it may wait for bytes that do not come. */
const patienceMs = 300;

/** Sends a request over a connection of its own. @returns everything that was received */
export async function exchange(port: number, { parts, then }: HostileRequest): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.setEncoding('latin1');
  socket.on('data', (text: string) => {
    received += text;
  });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => {});
  for (const part of parts) {
    if (socket.destroyed) break;
    if (typeof part === 'number') await pause(part);
    else socket.write(part);
  }
  if (then === 'end') socket.end();
  if (then === 'reset') socket.resetAndDestroy();
  for (let waited = 0; waited < 20_000 && !socket.destroyed; waited += patienceMs) {
    await Promise.race([closed, pause(patienceMs)]);
    // Whoever has begun to answer will close the connection; a body that is waited for is never sent.
    if (received === '' && waited > 5000) break;
  }
  socket.destroy();
  return received;
}

/** What is wrong with what was received: a 500, or a refusal without its envelope. */
export function faultsIn(received: string, { isHead }: HostileRequest): string[] {
  const faults: string[] = [];
  for (const answer of received.split(/(?=HTTP\/1\.1 \d{3} )/)) {
    const [head = '', ...rest] = answer.split('\r\n\r\n');
    const http = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
    if (received === '' || http === 100) continue;
    if (!(http >= 200 && http < 600) || http === 500) faults.push(`answered ${head.slice(0, 80)}`);
    else if (http >= 400 && !isHead) faults.push(...envelopeFaults(http, rest.join('\r\n\r\n')));
  }
  return faults;
}

function envelopeFaults(http: number, body: string): string[] {
  try {
    const {
      status,
      status_message: message,
      detail,
      trx_id: trxId,
    } = JSON.parse(body) as Record<string, unknown>;
    const isComplete = [status, message, detail, trxId].every((it) => typeof it === 'string' && it !== '');
    return isComplete ? [] : [`${http} without its envelope: ${body.slice(0, 200)}`];
  } catch {
    return [`${http} with a body that is no JSON: ${body.slice(0, 200)}`];
  }
}
