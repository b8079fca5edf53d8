/** Seals answers to the key of the server: ECDH on P-256, HKDF with SHA-256, AES-256-GCM (docs/shared-tablets.md, "Sealed answers"). */
import { isKeptFile, type KeptFile } from '#web/form/answers/model'
import type { Draft } from '#web/participant/device/model'
import type { SealedStore } from '#web/participant/device/tablet'
import { forgetEnvelope, forgetFile, keepEnvelope, keepPart, sealingSession, type Tablet } from './tabletDatabase'

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
export async function sealText(publicKey: string, about: string, text: string): Promise<string> {
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

/** Half of a character cannot be stored, and the person is not there to be asked. */
const toWellFormed = (_: string, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value)

/** The bytes of a file that one envelope holds. */
const PART = 512 * 1024

/** The ids of the files of a draft. */
const filesIn = ({ answers }: Draft): string[] =>
  Object.values(answers).flatMap(({ value }) => (isKeptFile(value) ? [value.blob] : []))

/** What the server needs to take the answers. Of files, those that are sealed themselves. */
function contentOf(entry: string, draft: Draft, pass: string, unfinished: boolean, files: ReadonlySet<string>): string {
  const response: Record<string, unknown> = {}
  let withoutFiles = false
  for (const [dataType, { value, createdAt }] of Object.entries(draft.answers))
    if (!isKeptFile(value)) response[dataType] = { value, createdAt }
    else if (files.has(value.blob))
      response[dataType] = { value: { sealedFile: value.blob, name: value.name }, createdAt }
    else withoutFiles = true
  const { occurrence: stage, opened, version } = draft
  return JSON.stringify({ entry, pass, stage, opened, version, response, unfinished, withoutFiles }, toWellFormed)
}

/** Begins a session whose answers are kept sealed. @param pass of the session */
export function createSealedStore({ _id: device, publicKey }: Tablet, pass: string): SealedStore {
  const session = crypto.randomUUID()
  sealingSession.session = session
  /** The ids under which drafts would be handed over, by occurrence. */
  const ids = new Map<string, string>()
  /** The files that are sealed to their end. */
  const files = new Set<string>()
  /** Those of drafts by occurrence, and those of entries by id. */
  const ofDrafts = new Map<string, readonly string[]>()
  const ofEntries = new Map<string, readonly string[]>()
  // One at a time: the newest state of a draft must be the last that is kept.
  let last: Promise<unknown> = Promise.resolve()
  /** The person does not want the drafts to be handed over. */
  let isDropped = false
  const enqueue = <T>(act: () => Promise<T>): Promise<T> => {
    const done = last.then(act)
    last = done.catch(() => undefined)
    return done
  }
  async function keep(id: string, draft: Draft, unfinished: boolean, instead?: string): Promise<void> {
    const envelope = await sealText(publicKey, device, contentOf(id, draft, pass, unfinished, files))
    await keepEnvelope({ id, device, session, envelope, madeAt: new Date().toISOString() }, instead)
  }
  const entryIdOf = (occurrence: string): string => {
    const id = ids.get(occurrence) ?? crypto.randomUUID()
    ids.set(occurrence, id)
    return id
  }
  const noteFiles = (occurrence: string, more: readonly string[]) =>
    ofDrafts.set(occurrence, [...new Set([...(ofDrafts.get(occurrence) ?? []), ...more])])
  async function forgetFiles(files: readonly string[] = []): Promise<void> {
    const drafts = [...ofDrafts.values()].flat()
    for (const file of files) if (!drafts.includes(file)) await forgetFile({ session, file })
  }
  async function keepFile({ blob: file, name, type, size }: KeptFile, bytes: Blob): Promise<void> {
    for (let from = 0; from < size; from += PART) {
      const to = Math.min(from + PART, size)
      const content = base64url(new Uint8Array(await bytes.slice(from, to).arrayBuffer()))
      const part = { pass, file, name, size, type: type || 'application/octet-stream', from, bytes: content }
      const envelope = await sealText(publicKey, device, JSON.stringify(part, toWellFormed))
      await keepPart({ session, file, from, to, device, envelope })
    }
    files.add(file)
  }
  async function forgetDraft(occurrence: string): Promise<void> {
    const id = ids.get(occurrence)
    if (id !== undefined) await forgetEnvelope(id)
    ids.delete(occurrence)
    const all = ofDrafts.get(occurrence)
    ofDrafts.delete(occurrence)
    await forgetFiles(all)
  }
  return {
    file: (occurrence, file, bytes) =>
      enqueue(async () => {
        if (isDropped) return
        noteFiles(occurrence, [file.blob])
        await keepFile(file, bytes)
      }),
    draft: (draft) =>
      enqueue(async () => {
        if (isDropped) return
        noteFiles(draft.occurrence, filesIn(draft))
        await keep(entryIdOf(draft.occurrence), draft, true)
      }),
    entry: (id, draft) =>
      enqueue(async () => {
        const { occurrence } = draft
        await keep(id, draft, false, ids.get(occurrence))
        ids.delete(occurrence)
        const all = ofDrafts.get(occurrence) ?? []
        ofDrafts.delete(occurrence)
        const own = filesIn(draft)
        ofEntries.set(id, own)
        await forgetFiles(all.filter((file) => !own.includes(file)))
      }),
    forgetEntry: (id) =>
      enqueue(async () => {
        await forgetEnvelope(id)
        await forgetFiles(ofEntries.get(id))
        ofEntries.delete(id)
      }),
    forgetDraft: (occurrence) => enqueue(() => forgetDraft(occurrence)),
    dropDrafts: () => {
      isDropped = true
      return enqueue(async () => {
        for (const occurrence of new Set([...ids.keys(), ...ofDrafts.keys()])) await forgetDraft(occurrence)
      })
    },
    whenSealed: () => last,
  }
}
