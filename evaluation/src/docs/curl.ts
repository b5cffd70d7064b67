import type { Endpoint } from '@wajah/contract';

/** Variables and function that the commands use; shown once on the page. */
export const curlSetUp = [
  'URL=http://127.0.0.1:8080',
  "CLIENT=demo PASSWORD='the password that was shown'",
  "TOKEN='paste the access token here'",
  'picture() { base64 < "$1" | tr -d \'\\n\'; }',
].join('\n');

/** A call with a form; shown once on the page. */
export const curlForm =
  'curl -s "$URL/face-api/detect-faces" -H "Accesstoken: $TOKEN" -F image=@face.jpg -F attributes=pose';

const token = '-H "Accesstoken: $TOKEN"';
const json = "-H 'Content-Type: application/json'";
const secrets = ['password', 'client_secret'];

/** The example of an endpoint as a curl command. */
export function curlOf(endpoint: Endpoint): string {
  const { auth, example, methods, path } = endpoint;
  const fields = Object.entries(example.request);
  const [method] = methods;
  const header = auth === 'none' ? '' : ` ${token}`;
  if (auth === 'credentials') return withForm(endpoint, fields);
  if (method !== 'POST') {
    const verb = method === 'GET' ? '' : ` -X ${method}`;
    return `curl -s${verb} "$URL${path}${queryOf(fields)}"${header}`;
  }
  if (fields.length === 0) return `curl -s -X POST "$URL${path}"${header}`;
  const { text, pictures } = bodyOf(example.request);
  const call = `curl -s "$URL${path}"${header} ${json} -d`;
  if (pictures.length === 0) return `${call} '${text}'`;
  const given = pictures.map((name) => `"$(picture ${name})"`).join(' ');
  return `printf '${text}' \\\n  ${given} |\n  ${call} @-`;
}

function withForm({ path, id }: Endpoint, fields: readonly [string, unknown][]): string {
  const form = fields.map(([name, value]) => {
    if (name === 'client_id') return '-d client_id="$CLIENT"';
    return secrets.includes(name) ? `-d ${name}="$PASSWORD"` : `-d ${name}=${String(value)}`;
  });
  return ['curl -s', `"$URL${path}"`, ...(id === 'revokeToken' ? [token] : []), ...form].join(' ');
}

function queryOf(fields: readonly [string, unknown][]): string {
  const query = new URLSearchParams(fields.map(([name, value]): [string, string] => [name, String(value)]));
  return query.size === 0 ? '' : `?${query}`;
}

/** The body as a `printf` format with `%s` for each picture, and the files of the pictures. */
function bodyOf(request: Readonly<Record<string, unknown>>): { text: string; pictures: string[] } {
  const pictures: string[] = [];
  let nested = 0;
  const text = JSON.stringify(request, (name, value: unknown) => {
    if (name !== 'image' && !name.endsWith('_image')) return value;
    nested += 1;
    const file = name === 'image' ? 'face' : name.replace('_image', '');
    pictures.push(request[name] === undefined ? `${file}-${nested}.jpg` : `${file}.jpg`);
    return '%s';
  });
  return { text, pictures };
}
