import { type IncomingMessage, request } from 'node:http';

/** An answer of the cloud: what is inside of `risetai`. */
export interface Told {
  readonly status: string;
  readonly status_message: string;
  readonly [field: string]: unknown;
}

/** Where a program calls, and with what. */
export interface Account {
  /** `…/risetai` */
  readonly base: string;
  readonly token: string;
}

interface Call {
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly type?: string;
}

/** What axios, Guzzle and `raise_for_status()` throw: the program does not see the body. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly code: number;

  constructor(code: number) {
    super(`HTTP ${code}`);
    this.code = code;
  }
}

/** As Laravel's Http: every answer is read. A body goes with every method, which fetch does not send with GET. */
export async function ask(account: Account, route: `${string} /${string}`, call: Call = {}): Promise<Told> {
  const { body } = await send(account, route, call);
  return body.risetai;
}

/** As axios, Guzzle and `raise_for_status()`. @throws HttpError of 4xx and 5xx */
export async function askOrThrow(
  account: Account,
  route: `${string} /${string}`,
  call: Call = {},
): Promise<Told> {
  const { http, body } = await send(account, route, call);
  if (http >= 400) throw new HttpError(http);
  return body.risetai;
}

async function send({ base, token }: Account, route: string, { fields = {}, type }: Call) {
  const [method = '', path = ''] = route.split(' ');
  // As PHP writes it.
  const payload = JSON.stringify(fields).replaceAll('/', '\\/');
  const headers = {
    Accesstoken: token,
    'Content-Type': type ?? 'application/json',
    'Content-Length': Buffer.byteLength(payload),
  };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(`${base}${path}`, { method, headers }, resolve).on('error', reject).end(payload);
  });
  let text = '';
  for await (const part of answer.setEncoding('utf8')) text += part;
  return { http: answer.statusCode ?? 0, body: JSON.parse(text) as { risetai: Told } };
}
