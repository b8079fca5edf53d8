/** Seals answers to the key of the server: ECDH on P-256, HKDF with SHA-256, AES-256-GCM (docs/shared-tablets.md, "Sealed answers"). */
import type { Draft, KeptAnswer } from '#web/app/device/model'
import type { Sealing } from '#web/app/device/tablet'
import { current, forgetEnvelope, keepEnvelope, type Tablet } from './kept'

const CURVE = { name: 'ECDH', namedCurve: 'P-256' } as const
const utf8 = new TextEncoder()

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))

/** In pieces: a call takes only so many arguments. */
function base64url(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** An envelope that only the holder of the private key can open. @param about what it is about: to open it, one must know it */
export async function sealed(publicKey: string, about: string, text: string): Promise<string> {
  const { subtle } = crypto
  const point = bytesOf(publicKey)
  const server = await subtle.importKey('raw', point, CURVE, false, [])
  const own = await subtle.generateKey(CURVE, true, ['deriveBits'])
  const sealer = new Uint8Array(await subtle.exportKey('raw', own.publicKey))
  const shared = await subtle.deriveBits({ name: 'ECDH', public: server }, own.privateKey, 256)
  const secret = await subtle.importKey('raw', shared, 'HKDF', false, ['deriveKey'])
  const salt = new Uint8Array([...sealer, ...point])
  const how = { name: 'HKDF', hash: 'SHA-256', salt, info: utf8.encode('trialbox envelope') }
  const key = await subtle.deriveKey(how, secret, { name: 'AES-GCM', length: 256 }, false, ['encrypt'])
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const cipher = { name: 'AES-GCM', iv, additionalData: utf8.encode(about) }
  const content = new Uint8Array(await subtle.encrypt(cipher, key, utf8.encode(text)))
  const all = new Uint8Array(1 + sealer.length + iv.length + content.length)
  all.set([1])
  all.set(sealer, 1)
  all.set(iv, 1 + sealer.length)
  all.set(content, 1 + sealer.length + iv.length)
  return base64url(all)
}

const isFile = ({ value }: KeptAnswer): boolean => typeof value === 'object' && value !== null && 'blob' in value

/** Half of a character cannot be stored, and the person is not there to be asked. */
const stored = (_: string, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value)

/** What the server needs to take the answers. Files are not among them: they are too large to be sealed. */
function contentOf(entry: string, draft: Draft, pass: string, unfinished: boolean): string {
  const answers = Object.entries(draft.answers)
  const response = Object.fromEntries(answers.filter(([, answer]) => !isFile(answer)))
  const withoutFiles = answers.some(([, answer]) => isFile(answer))
  const { occurrence: stage, opened, version } = draft
  return JSON.stringify({ entry, pass, stage, opened, version, response, unfinished, withoutFiles }, stored)
}

/** Begins a session whose answers are kept sealed. @param pass of the session */
export function sealingFor({ _id: device, publicKey }: Tablet, pass: string): Sealing {
  const session = crypto.randomUUID()
  current.session = session
  /** The ids under which drafts would be handed over, by occurrence. */
  const ids = new Map<string, string>()
  // One at a time: the newest state of a draft must be the last that is kept.
  let last: Promise<unknown> = Promise.resolve()
  const next = <T>(act: () => Promise<T>): Promise<T> => {
    const done = last.then(act)
    last = done.catch(() => undefined)
    return done
  }
  async function keep(id: string, draft: Draft, unfinished: boolean, instead?: string): Promise<void> {
    const envelope = await sealed(publicKey, device, contentOf(id, draft, pass, unfinished))
    await keepEnvelope({ id, device, session, envelope, madeAt: new Date().toISOString() }, instead)
  }
  const idOf = (occurrence: string): string => {
    const id = ids.get(occurrence) ?? crypto.randomUUID()
    ids.set(occurrence, id)
    return id
  }
  return {
    draft: (draft) => next(() => keep(idOf(draft.occurrence), draft, true)),
    entry: (id, draft) =>
      next(async () => {
        await keep(id, draft, false, ids.get(draft.occurrence))
        ids.delete(draft.occurrence)
      }),
    forgetEntry: (id) => next(() => forgetEnvelope(id)),
    forgetDraft: (occurrence) =>
      next(async () => {
        const id = ids.get(occurrence)
        if (id !== undefined) await forgetEnvelope(id)
        ids.delete(occurrence)
      }),
  }
}
