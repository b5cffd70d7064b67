import type { RefusalRow, SentenceRow } from './sentence.ts';

/** Refusals of credentials, tokens and quotas, and of what only some clients may do. */
export const accountRefusals = {
  tokenToRevokeMissing: {
    status: 'unauthorized',
    en: 'Accesstoken: the header is missing',
    id: 'Accesstoken: header ini tidak ada',
  },
  grantType: {
    status: 'malformed',
    en: 'grant_type: found {found:phrase}; allowed is client_credentials',
    id: 'grant_type: ditemukan {found:phrase}; yang diizinkan ialah client_credentials',
  },
  credentialMissing: {
    status: 'malformed',
    en: '{field}: found nothing; send it in the body or as HTTP Basic',
    id: '{field}: tidak ada isinya; kirim di isi permintaan atau sebagai HTTP Basic',
  },
  basicMalformed: {
    status: 'malformed',
    en: 'Authorization: Basic without client_id:password',
    id: 'Authorization: Basic tanpa client_id:password',
  },
  operatorOnly: {
    status: 'denied',
    en: 'the client is not an operator; `wajah client set-operator` makes it one',
    id: 'klien ini bukan operator; `wajah client set-operator` menjadikannya operator',
  },
  clientNotNamed: {
    status: 'malformed',
    en: 'X-Client: found nothing; name the client that the operator acts for',
    id: 'X-Client: tidak ada isinya; sebutkan klien yang diwakili operator',
  },
  galleryWithoutClient: {
    status: 'malformed',
    en: 'facegallery_id: names of galleries are those of a client; name client_id too',
    id: 'facegallery_id: nama galeri adalah milik satu klien; sebutkan client_id juga',
  },
  operatorTold: {
    status: 'malformed',
    en: '{reason}',
    id: '{reason}',
  },
  clientNotFound: {
    status: 'clientNotFound',
    en: 'client_id: there is no client {client:json}; list the clients',
    id: 'client_id: tidak ada klien {client:json}; lihat daftar klien',
  },
  clientExists: {
    status: 'clientExists',
    en: 'client_id: {client} exists already; choose another name',
    id: 'client_id: {client} sudah ada; pilih nama lain',
  },
  clientIdNotAllowed: {
    status: 'malformed',
    en: 'client_id: {client:json} is not allowed; use 1 to {most} letters, digits or . _ @ -',
    id: 'client_id: {client:json} tidak diizinkan; pakai 1 sampai {most} huruf, angka, atau . _ @ -',
  },
  clientIsOperator: {
    status: 'denied',
    en: 'client_id: {client} is an operator; `wajah client` on the server resets its password, or deletes it',
    id: 'client_id: {client} adalah operator; `wajah client` di server mengganti kata sandinya, atau menghapusnya',
  },
  clientWithoutPassword: {
    status: 'denied',
    en: 'client_id: {client} has no password: its tokens are of another issuer',
    id: 'client_id: {client} tidak punya kata sandi: tokennya dari penerbit lain',
  },
  noRoomForGallery: {
    status: 'malformed',
    en: 'n_facegallery: 0 leaves no room for the first gallery',
    id: 'n_facegallery: 0 tidak menyisakan tempat untuk galeri pertama',
  },
  quotaMissing: {
    status: 'malformed',
    en: 'n_api_hits, n_face, n_facegallery: found none; name at least one',
    id: 'n_api_hits, n_face, n_facegallery: tidak ada; sebut paling sedikit satu',
  },
  activityRange: {
    status: 'malformed',
    en: 'from: {from} is not before {to}, which is `to`',
    id: 'from: {from} tidak sebelum {to}, yaitu `to`',
  },
  tooManyTokens: {
    status: 'denied',
    en: 'name: you have {count} tokens, the maximum; revoke one that no program uses (list-tokens says when each was used)',
    id: 'name: Anda punya {count} token, jumlah terbanyak; cabut yang tidak dipakai program mana pun (list-tokens menunjukkan kapan terakhir dipakai)',
  },
  tokenNotFound: {
    status: 'tokenNotFound',
    en: 'token_id: you have no token of this id; list your tokens',
    id: 'token_id: Anda tidak punya token dengan id ini; lihat daftar token Anda',
  },
  scopeNotHeld: {
    status: 'denied',
    en: 'scopes: your token lacks the scope {scope}, so it cannot grant it',
    id: 'scopes: token Anda tidak punya cakupan {scope}, jadi tidak dapat memberikannya',
  },
  wrongCredentials: {
    status: 'unauthorized',
    en: 'client_id or password is wrong',
    id: 'client_id atau kata sandi salah',
  },
  signInLinkUsed: {
    status: 'unauthorized',
    en: 'sign_in_code: the link was used, replaced or has expired; `wajah client sign-in-link` prints another',
    id: 'sign_in_code: tautan sudah dipakai, diganti, atau kedaluwarsa; `wajah client sign-in-link` mencetak yang baru',
  },
  newPasswordLength: {
    status: 'malformed',
    en: 'new_password: it has {count} characters; {min} to {max} are allowed',
    id: 'new_password: panjangnya {count} karakter; yang diizinkan {min} sampai {max}',
  },
  callQuotaUsedUp: {
    status: 'denied',
    en: 'n_api_hits: the number of calls that this client may make is used up; ask the operator for more',
    id: 'n_api_hits: kuota panggilan klien ini habis; minta tambahan kepada operator',
  },
  clientNotRegistered: {
    status: 'denied',
    en: 'client not registered; register the client first',
    id: 'klien belum terdaftar; daftarkan klien dulu',
  },
  clientDeleted: {
    status: 'denied',
    en: 'the operator has deleted the client {client}; `wajah client create {client}` makes it again',
    id: 'operator telah menghapus klien {client}; `wajah client create {client}` membuatnya lagi',
  },
  tokenUnknown: {
    status: 'unauthorized',
    en: 'Accesstoken: the token is not known here; get a new one',
    id: 'Accesstoken: token tidak dikenal di sini; minta yang baru',
  },
  tokenExpired: {
    status: 'unauthorized',
    en: 'Accesstoken: the token has expired; get a new one',
    id: 'Accesstoken: token sudah kedaluwarsa; minta yang baru',
  },
  tokenRevoked: {
    status: 'unauthorized',
    en: 'Accesstoken: the token was revoked; get a new one',
    id: 'Accesstoken: token sudah dicabut; minta yang baru',
  },
  issuerUnreachable: {
    status: 'busy',
    en: 'Accesstoken: the keys of the token issuer cannot be fetched now; try again',
    id: 'Accesstoken: kunci penerbit token tidak dapat diambil sekarang; coba lagi',
  },
  tooManyLogins: {
    status: 'tooManyRequests',
    en: 'too many failed or simultaneous logins; wait {seconds} s',
    id: 'terlalu banyak upaya masuk yang gagal atau bersamaan; tunggu {seconds} detik',
  },
  tokenMissing: {
    status: 'unauthorized',
    en: 'Accesstoken: the header is missing; send an access token',
    id: 'Accesstoken: header ini tidak ada; kirim token akses',
  },
  scopeMissing: {
    status: 'denied',
    en: 'Accesstoken: the scope {needed} is needed here, the token has {held}',
    id: 'Accesstoken: cakupan {needed} diperlukan di sini, token punya {held}',
  },
  attributeScope: {
    status: 'denied',
    en: 'attributes: {attribute} needs the scope {scope}, which the token lacks; leave it out, or ask for a token with that scope',
    id: 'attributes: {attribute} memerlukan cakupan {scope}, yang tidak dimiliki token; keluarkan dari daftar, atau minta token dengan cakupan itu',
  },
  tooManyBadTokens: {
    status: 'tooManyRequests',
    en: 'Accesstoken: found more than {most} calls in a minute whose token was refused; try again in {seconds} s',
    id: 'Accesstoken: lebih dari {most} panggilan dalam satu menit dengan token yang ditolak; coba lagi dalam {seconds} detik',
  },
  tokenBound: {
    status: 'denied',
    en: 'Accesstoken: this token is for {binding}, below /api/v1; send another one here',
    id: 'Accesstoken: token ini untuk {binding}, di bawah /api/v1; kirim token lain di sini',
  },
} as const satisfies Record<string, RefusalRow>;

export const accountPhrases = {
  anotherOne: { en: 'another one', id: 'yang lain' },
} as const satisfies Record<string, SentenceRow>;
