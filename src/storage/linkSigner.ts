/** Signed links: a person who has the link may do the one thing that it allows until it expires. */
import { keyedHash } from '#kernel/cryptography'
import { type Key, type Keys, keyOf, keysIn, markOf } from '#kernel/keyring'
import { refuse } from '#kernel/problem'
import { DAY, type Instant } from '#kernel/time'

/** What a link allows. `kind` is the kind of file that the name belongs to, such as `files`. */
export type Claims = {
  method: 'GET' | 'PUT'
  kind: string
  name: string
  /** The name under which the browser saves a download. */
  fileName?: string
  /** The content type of a download. */
  type?: string
  disposition?: 'attachment' | 'inline'
  /** The reader to whom the download link was given, for the trail of reads. Undefined if unknown. */
  reader?: string
}

export type Signer = ReturnType<typeof signer>

const SEGMENT = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/
const PATH = /^\/storage\/([^/]+)\/([^/]+)$/
/** How long a link lives at most. A later end with an earlier key was not written by this server. */
const LONGEST = 7 * DAY

const PARAMETERS = ['fileName', 'type', 'disposition', 'reader', 'expires', 'signature']

/**
 * Signs links to `/storage/…` with HMAC-SHA256 over method, kind, name, every other claim and the expiry
 * (docs/contract.md, "Files").
 * @param secrets at least 16 bytes each: the current one signs, and links of the earlier ones stay valid
 */
export function signer(secrets: Keys) {
  const knownKeys = keysIn(secrets)
  if (knownKeys.some(({ secret }) => Buffer.byteLength(secret) < 16))
    throw new RangeError('The secret that signs links needs at least 16 bytes.')

  const signature = (key: Key, claims: Claims, expires: string) => {
    const { method, kind, name, fileName = null, type = null, disposition = null, reader } = claims
    const named = reader === undefined ? [] : [reader]
    const content = JSON.stringify(['storage', method, kind, name, fileName, type, disposition, expires, ...named])
    return markOf(key) + keyedHash(key.secret, content)
  }

  return {
    /** Returns the path and query of a link that works until the microsecond before `expiresAt`. */
    sign(claims: Claims, expiresAt: Instant): string {
      if (!SEGMENT.test(claims.kind) || !SEGMENT.test(claims.name)) throw new RangeError('Not a name a link can carry.')
      if (!Number.isSafeInteger(expiresAt)) throw new RangeError('A link expires at a whole microsecond.')
      const { fileName, type, disposition, reader } = claims
      const query = new URLSearchParams()
      if (fileName !== undefined) query.set('fileName', fileName.toWellFormed())
      if (type !== undefined) query.set('type', type)
      if (disposition !== undefined) query.set('disposition', disposition)
      if (reader !== undefined) query.set('reader', reader)
      query.set('expires', String(expiresAt))
      query.set(
        'signature',
        signature(knownKeys[0], { ...claims, fileName: fileName?.toWellFormed() }, String(expiresAt)),
      )
      return `/storage/${claims.kind}/${claims.name}?${query}`
    },

    /** Returns what the link allows. 403 if it was altered, is for another method, or has expired. HEAD counts as GET. */
    verify(method: string, url: string | URL, now: Instant): Claims {
      const { pathname, searchParams: query } = new URL(url, 'http://localhost')
      const [, kind, name] = PATH.exec(pathname) ?? []
      const expires = query.get('expires')
      const ownSignature = query.get('signature')
      const keys = [...query.keys()]
      const areKnown = new Set(keys).size === keys.length && keys.every((key) => PARAMETERS.includes(key))
      if (!kind || !name || !expires || !ownSignature || !areKnown) throw alteredLink()
      const claims = {
        method: method === 'HEAD' ? 'GET' : method,
        kind,
        name,
        fileName: query.get('fileName') ?? undefined,
        type: query.get('type') ?? undefined,
        disposition: query.get('disposition') ?? undefined,
        reader: query.get('reader') ?? undefined,
      } as Claims
      const key = keyOf(knownKeys, ownSignature)
      const lastEnd = (key?.until ?? Infinity) + LONGEST
      if (!key || Number(expires) > lastEnd || !isSame(ownSignature, signature(key, claims, expires)))
        throw alteredLink()
      // Checked only now: nothing in the link can be trusted before its signature is verified.
      if (now >= Number(expires)) throw refuse.forbidden('storageLinkExpired')
      return claims
    },
  }
}

const alteredLink = () => refuse.forbidden('storageLinkAltered')

/** Compares the texts, not the bytes that they decode to: one value has several spellings in base64url. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && crypto.timingSafeEqual(a, b)
}
