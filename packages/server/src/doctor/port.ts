import { createServer } from 'node:net';
import type { Config } from '../config/config.ts';
import { bad, type DoctorFinding, good } from './findings.ts';

const what = 'port';

/** Whether a server could listen. @param probeMs time for an answer of what listens already */
export async function checkPort(
  { host, port }: Pick<Config, 'host' | 'port'>,
  probeMs = 2000,
): Promise<DoctorFinding[]> {
  if (port === 0) return [good(what, 'the system chooses a free one')];
  const place = `WAJAH_PORT ${port} on WAJAH_HOST ${host}`;
  const code = await listenError(host, port);
  if (code === null) return [good(what, `${port} on ${host} is free`)];
  if (code === 'EADDRINUSE') {
    if (await isWajah(host, port, probeMs)) return [good(what, `${place}: a Wajah server answers there`)];
    return [
      bad(
        what,
        `${place} is in use by another program; stop it (\`ss -ltnp 'sport = :${port}'\` names it), or choose another port`,
      ),
    ];
  }
  const remedies: Record<string, string> = {
    EACCES: 'this user may not use ports below 1024; choose a higher one behind a reverse proxy',
    EADDRNOTAVAIL: 'the address is not one of this machine; 127.0.0.1 and 0.0.0.0 always are',
    ENOTFOUND: 'the host name is not known; give an address',
  };
  return [bad(what, `${place} cannot be used (${code}); ${remedies[code] ?? 'choose another one'}`)];
}

function listenError(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}

/** Whether the health check of a server answers there. */
async function isWajah(host: string, port: number, probeMs: number): Promise<boolean> {
  const address =
    { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? (host.includes(':') ? `[${host}]` : host);
  try {
    const answer = await fetch(`http://${address}:${port}/health`, { signal: AbortSignal.timeout(probeMs) });
    const body = (await answer.json()) as { status_message?: unknown };
    return answer.headers.has('x-trx-id') || body.status_message === 'Success';
  } catch {
    return false;
  }
}
