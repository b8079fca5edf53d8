/**
 * Verifies an archive that Trialbox wrote, such as a study record, without a server and without unpacking it to the disk
 * (docs/exports.md, "Proof").
 */
import { statSync } from 'node:fs'
import { chainStart, entryHash } from '#audit/append'
import { MANIFEST, SIGNATURE, verifiedFingerprint } from '#documents/archives/signature'
import { fault, type MakeUnreadable } from '#kernel/fault'
import { isObject } from '#kernel/json'
import { layoutProblem, OWN_LIMITS, partsOfFile, type ZipPart } from '#writers/unzipFile'
import { CHAIN, type ChainLine } from './chain'
import { READS } from './reads'
import { checkReads } from './verifyReads'

/** What was found out. `chain`: undefined if the archive has no audit trail. */
export type RecordReport = {
  parts: number
  bytes: number
  /** Of the key that signed it. */
  fingerprint: string
  chain?: { entries: number; withheld: number; hash: string; chain: string } | undefined
  /** The reads that it has; undefined if it has none. */
  reads?: number | undefined
}

const unreadable: MakeUnreadable = ({ code, text }) =>
  fault(code === 'archiveDamaged' ? 'The zip archive is damaged: it cannot be verified.' : text)
/** The largest part that is read into memory: a manifest, a signature, a description. */
const IN_MEMORY = 512 << 20
/** A small archive may have fewer bytes: hashes cannot be compressed much, so Trialbox never writes a part that grows more than this. */
const mostOf = (size: number) => Math.min(IN_MEMORY, (16 << 20) + 64 * size)
/** The longest line of the audit trail, in UTF-16 units. An entry has fewer than a request may send. */
const LINE = 64 << 20

/**
 * Reads every byte of the archive once.
 * @param expected the fingerprint of the key that should have signed it; any if undefined
 * @throws a fault that names the first thing that does not fit
 */
export async function verifyRecord(path: string, expected?: string): Promise<RecordReport> {
  const { size } = fileAt(path)
  const strange = layoutProblem(path, unreadable)
  if (strange) throw fault(`It is not as Trialbox wrote it. ${strange}`)
  const parts = new Map(partsOfFile(path, OWN_LIMITS, unreadable).map((part) => [part.name, part]))
  for (const name of parts.keys())
    if (!isInside(name))
      throw fault(`Its part ${JSON.stringify(name)} has a name that Trialbox never gives: do not unpack it.`)
  const archive = { parts, most: mostOf(size) }
  const manifest = await textOf(archive, MANIFEST)
  const signature = await textOf(archive, SIGNATURE)
  if (signatureFormat(signature) > 1)
    throw fault('A newer version of Trialbox wrote and signed it: verify it with that version.')
  const fingerprint = verifiedFingerprint(signature, manifest)
  if (!fingerprint) throw fault(`${SIGNATURE} is not a signature of ${MANIFEST}: one of the two was changed.`)
  if (expected !== undefined && expected !== fingerprint)
    throw fault(`It is signed with another key, whose fingerprint is ${fingerprint}.`)
  await checkHashes(parts, hashesIn(manifest))
  const chain = parts.get(CHAIN)
  const reads = parts.get(READS)
  return {
    parts: parts.size,
    bytes: size,
    fingerprint,
    chain: chain && (await checkChain(chain, headsIn(await textOf(archive, 'study.json')))),
    reads: reads && (await checkReads(linesOf(reads), await textOf(archive, 'study.json'))),
  }
}

/** @throws a fault if there is nothing to read */
function fileAt(path: string) {
  const file = statSync(path)
  if (!file.isFile()) throw fault(`${path} is not a file.`)
  if (file.size === 0) throw fault('The file is empty: save or download it again.')
  return file
}

/** Whether a part with that name stays in the folder to which somebody unpacks the archive, with any program. */
const isInside = (name: string): boolean =>
  !/^([/\\]|[a-z]:)|\\|\p{Cc}/iu.test(name) && !name.split('/').some((step) => ['', '.', '..'].includes(step))

type Archive = { parts: ReadonlyMap<string, ZipPart>; most: number }

async function textOf({ parts, most }: Archive, name: string): Promise<string> {
  const part = parts.get(name)
  if (!part && name === SIGNATURE)
    throw fault(`It has no ${name}: somebody removed it, or a version of Trialbox wrote it that did not sign yet.`)
  if (!part) throw fault(`It has no ${name}: it is not an archive that Trialbox wrote and signed.`)
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of part.pieces()) {
    if ((size += piece.length) > most) throw fault(`Its ${name} is too large.`)
    pieces.push(Buffer.from(piece))
  }
  return Buffer.concat(pieces).toString()
}

/** The SHA-256 of each part by name, as the manifest says. */
function hashesIn(manifest: string): Map<string, string> {
  const hashes = new Map<string, string>()
  for (const line of manifest.split('\n').slice(0, -1)) {
    const [, hash, name] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? []
    if (hash === undefined || name === undefined) throw fault(`${MANIFEST} has a line that is none of a part.`)
    if (hashes.has(name)) throw fault(`${MANIFEST} lists its part ${name} twice.`)
    hashes.set(name, hash)
  }
  return hashes
}

async function checkHashes(parts: ReadonlyMap<string, ZipPart>, hashes: ReadonlyMap<string, string>): Promise<void> {
  for (const name of hashes.keys()) if (!parts.has(name)) throw fault(`Its part ${name} is missing.`)
  for (const [name, part] of parts) {
    if (name === MANIFEST || name === SIGNATURE) continue
    const expected = hashes.get(name)
    if (expected === undefined) throw fault(`Its part ${name} was added: ${MANIFEST} does not have it.`)
    const hash = new Bun.CryptoHasher('sha256')
    for await (const piece of part.pieces()) hash.update(piece)
    if (hash.digest('hex') !== expected)
      throw fault(`Its part ${name} was changed: it does not have the SHA-256 in ${MANIFEST}.`)
  }
}

type Heads = { chain: string; heads: readonly { chain: string; entries: number; hash: string }[] }

/** The object that the JSON text holds; undefined if it does not hold one. */
function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const signatureFormat = (text: string): number => Number(objectIn(text)?.format)

/** The ends of the chains that the description of the study names. @throws a fault if it names none */
function headsIn(study: string): Heads {
  const { trial, heads } = objectIn(study) ?? {}
  if (!isObject(trial) || typeof trial._id !== 'string' || !Array.isArray(heads))
    throw fault('Its study.json does not say where its audit trail ends.')
  const ends = heads.flatMap((each): Heads['heads'] => {
    const { chain, entries, hash } = isObject(each) ? each : {}
    return typeof chain === 'string' && typeof entries === 'number' && typeof hash === 'string'
      ? [{ chain, entries, hash }]
      : []
  })
  return { chain: trial._id, heads: ends }
}

/** Computes the chain of the audit trail again, from its first entry, and compares its end with the description of the study. */
async function checkChain(part: ZipPart, { chain, heads }: Heads): Promise<NonNullable<RecordReport['chain']>> {
  let previous = chainStart(chain)
  let entries = 0
  let withheld = 0
  for await (const line of linesOf(part)) {
    entries++
    const entry = objectIn(line) as ChainLine | undefined
    if (!entry) throw fault(`Entry ${entries} of its audit trail cannot be read.`)
    if (entry.number !== entries) throw fault(`Entry ${entries} of its audit trail is missing.`)
    if ('isWithheld' in entry) withheld++
    else if (entry.chain !== chain || entryHash(previous, entry) !== entry.hash)
      throw fault(`Entry ${entries} of its audit trail does not fit its hash and the entry before it.`)
    previous = entry.hash
  }
  const head = heads.find((each) => each.chain === chain)
  if (head?.entries !== entries || head.hash !== previous)
    throw fault('Its audit trail does not end as study.json says.')
  return { chain, entries, withheld, hash: previous }
}

async function* linesOf(part: ZipPart): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of part.pieces()) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = lines.pop()!
    yield* lines
    if (rest.length > LINE) throw fault('Its audit trail has a line that is too long.')
  }
  if (rest) yield rest
}
