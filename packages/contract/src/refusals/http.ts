import type { RefusalRow } from './sentence.ts';

/** Refusals of the transport: bodies, forms, routes, limits. */
export const httpRefusals = {
  shuttingDown: {
    status: 'busy',
    sentence: 'the server is shutting down; nothing was written, try again in a moment',
  },
  tooManyCalls: {
    status: 'tooManyRequests',
    sentence: 'found more than {most} calls in a minute; try again in {seconds} s',
  },
  workersBusy: {
    status: 'busy',
    sentence: 'all workers are busy and {problem:phrase}; nothing was written, try again in {seconds} s',
  },
  notDoneInTime: {
    status: 'busy',
    sentence: '{work:phrase} was not done in time; nothing was written, try again in a moment',
  },
  tooManyConnections: {
    status: 'busy',
    sentence:
      'too many connections of this network; keep a connection for several calls, and make fewer at a time',
  },
  bodyTooSlow: {
    status: 'malformed',
    sentence: 'the body: found {bytes} bytes in {seconds} s, which is too slow; send it faster',
  },
  bodyTooLarge: {
    status: 'malformed',
    sentence: 'the body: larger than {most} bytes, the most that is allowed here',
  },
  picturesTooLarge: {
    status: 'imageBroken',
    sentence:
      'the body: larger than {most} bytes, the most that is allowed here; send smaller pictures, or fewer in a call',
  },
  bodyRestTooLarge: {
    status: 'malformed',
    sentence:
      'the body: found more than {most} bytes beside its pictures; allowed are {most}, and pictures in {fields:list}',
  },
  fileNotTaken: {
    status: 'malformed',
    sentence:
      'the body: found a file in the field {name:quoted}; allowed are pictures in {fields:list}, and {most} bytes beside them',
  },
  noRoomForBody: {
    status: 'busy',
    sentence:
      'the body: the bodies {whose:phrase} take all memory for them; nothing was written, send smaller pictures, or fewer calls at a time, and try again in {seconds} s',
  },
  formNotTaken: {
    status: 'malformed',
    sentence:
      'Content-Type: found a form ({type}); allowed is a JSON object, and multipart/form-data where pictures are sent',
  },
  jsonExpected: {
    status: 'malformed',
    sentence: 'the body: found a form ({type}); allowed is a JSON object',
  },
  bodyIsForm: {
    status: 'malformed',
    sentence:
      'the body: found a form, but its Content-Type is {type}; send it as multipart/form-data with its boundary, and leave the header to the library that makes the form',
  },
  bodyIsPicture: {
    status: 'malformed',
    sentence:
      'the body: found a picture ({looksLike}) with the Content-Type {type}; send it as a file of a form (multipart/form-data, field image), or in JSON as base64',
  },
  bodyCompressed: {
    status: 'malformed',
    sentence: 'Content-Encoding: the body is compressed; allowed is identity',
  },
  bodyNotUtf8: {
    status: 'malformed',
    sentence: 'the body: found bytes that are not UTF-8; allowed is JSON in UTF-8',
  },
  jsonTooDeep: { status: 'malformed', sentence: 'the body: JSON that is nested too deeply' },
  notJson: {
    status: 'malformed',
    sentence: 'the body: not JSON at position {offset} (line {line}, column {column}): {problem:phrase}',
  },
  fieldTwice: { status: 'malformed', sentence: 'the body: found a field twice; allowed is once' },
  entryMissing: {
    status: 'malformed',
    sentence: '{field}[{index}]: found nothing, but later entries; count from 0',
  },
  formIncomplete: {
    status: 'malformed',
    sentence:
      'the body: the form is not complete; send all of it, with the boundary of Content-Type before each field and after the last one',
  },
  noBoundary: {
    status: 'malformed',
    sentence:
      'Content-Type: found multipart/form-data without a boundary; leave the header to the library that makes the form',
  },
  boundaryTooLong: {
    status: 'malformed',
    sentence: 'Content-Type: found a boundary of {found} characters; allowed are 1 to {most}',
  },
  formPart: { status: 'malformed', sentence: 'field {number} of the form: {problem:phrase}' },
  hostMissing: { status: 'malformed', sentence: 'Host: found no such header; send the host name of the URL' },
  hostInvalid: {
    status: 'malformed',
    sentence: 'Host: found {found}; allowed: a host name or address, with a port or without',
  },
  routeNotFound: {
    status: 'routeNotFound',
    sentence: 'no endpoint has this path; see /openapi.json{hint:phrase?}',
  },
  methodNotAllowed: { status: 'methodNotAllowed', sentence: 'found {method}; allowed here is {allowed}' },
  noProxy: { status: 'methodNotAllowed', sentence: 'found CONNECT; this is no proxy' },
  pagesNotBuilt: {
    status: 'routeNotFound',
    sentence: 'the pages of the {pages:phrase} are not built on this server; `{command}` builds them',
  },
  urlUndecodable: {
    status: 'malformed',
    sentence:
      'the URL: found no path, a percent sign without two hexadecimal digits, or escaped bytes that are not UTF-8',
  },
  notHttp: { status: 'malformed', sentence: 'not an HTTP request' },
  headersTooLarge: { status: 'malformed', sentence: 'the headers are too large; allowed are 16 KiB' },
  extensionsTooLarge: {
    status: 'malformed',
    sentence: 'the extensions of the chunks are too large; allowed are 16 KiB',
  },
  contentLengthInvalid: {
    status: 'malformed',
    sentence: 'Content-Length: found a value that is not a number of bytes',
  },
  contentLengthTwice: {
    status: 'malformed',
    sentence: 'Content-Length: found beside another one or Transfer-Encoding; allowed is one',
  },
  transferEncodingInvalid: {
    status: 'malformed',
    sentence: 'Transfer-Encoding: found beside Content-Length or not ending with chunked',
  },
  chunkSizeInvalid: { status: 'malformed', sentence: 'the body: found a chunk without a hexadecimal size' },
  methodInvalid: { status: 'malformed', sentence: 'the request line: found no method of HTTP' },
  urlInvalid: {
    status: 'malformed',
    sentence: 'the request line: found a URL with a character that has to be escaped',
  },
  versionInvalid: {
    status: 'malformed',
    sentence: 'the request line: found a version of HTTP other than 1.0 and 1.1',
  },
  headerInvalid: {
    status: 'malformed',
    sentence: 'the headers: found a character that is not allowed there',
  },
  requestTooSlow: { status: 'malformed', sentence: 'the request did not arrive in time' },
} as const satisfies Record<string, RefusalRow>;

export const httpPhrases = {
  overloaded: 'the server is overloaded',
  newerFirst: 'the server is overloaded, newer calls go first',
  displaced: 'the queue is full and most of it is of this client',
  notBegun: 'could not begin in time',
  late: 'this picture would not be done within {milliseconds} ms',
  queueFull: 'found {waiting} pictures waiting, the most that may',
  gallerySearch: 'the search of the gallery',
  ofYourCalls: 'of your other calls',
  ofOtherCalls: 'of other calls',
  namelessField: 'a field without a name: {problem:phrase}',
  fileForText: 'found a file; allowed is a text',
  textNotUtf8: 'found bytes that are not UTF-8; allowed is a text in UTF-8',
  textNotJson: 'found a text that is not JSON; allowed is JSON, or fields of its own for each part',
  foundTwice: 'found twice; allowed is once',
  jsonAndFields: 'found as JSON and as fields of its own for each part; allowed is one of both',
  unknownFile: 'found a file; allowed are files in {fields:list}',
  partHeadersTooLarge: 'found headers of more than {most} bytes',
  noEmptyLine: 'found no empty line after its headers',
  noDisposition: 'found no header Content-Disposition: form-data; name="…", which each needs',
  partEncoded:
    'found a Content-Transfer-Encoding other than binary, 7bit and 8bit; send the bytes themselves',
  belowRisetai: '; paths below {prefix} need WAJAH_COMPAT=risetai',
  belowCompreface: '; paths below {prefix} need WAJAH_COMPAT=compreface',
  consolePages: 'console',
  documentPages: 'documents',
  jsonSymbol: 'a word or character that JSON does not have; names and texts need double quotes',
  jsonNumber: 'a number is malformed',
  jsonName: 'a field name in double quotes was expected',
  jsonValue: 'a value was expected',
  jsonColon: 'a colon was expected',
  jsonComma: 'a comma was expected',
  jsonBrace: 'a comma or } was expected',
  jsonBracket: 'a comma or ] was expected',
  jsonEnd: 'the end was expected',
  jsonComment: 'comments are not allowed',
  jsonStringEnd: 'a text does not end with a double quote',
  jsonNumberEnd: 'a number is incomplete',
  jsonUnicode: 'a text has an invalid \\u escape',
  jsonEscape: 'a text has an invalid escape',
  jsonControl: 'a text has a control character',
  jsonMalformed: 'it is malformed',
} as const satisfies Record<string, string>;
