/**
 * Verifies an archive that Trialbox wrote, such as a study record, without a server and without unpacking it to the disk
 * (docs/exports.md, "Proof").
 */
import { statSync } from 'node:fs'
import { chainStart, entryHash } from '#audit/append'
import { fingerprintIn, MANIFEST, SIGNATURE } from '#exchange/archives/signing'
import { fault } from '#kernel/fault'
import { OWN, partsOfFile, strangeLayout, type ZipPart } from '#writers/unzipFile'
import { CHAIN, type ChainLine } from './chain'

/** What was found out. `chain`: undefined if the archive has no audit trail. */
export type RecordReport = {
  parts: number
  bytes: number
  /** Of the key that signed it. */
  fingerprint: string
  chain?: { entries: number; withheld: number; hash: string; chain: string } | undefined
}

const unreadable = (problem: string) =>
  fault(problem.replace('save or download the file again', 'it cannot be verified'))
/** The largest part that is read into memory: a manifest, a signature, a description. */
const IN_MEMORY = 512 << 20

/**
 * Reads every byte of the archive once.
 * @param expected the fingerprint of the key that should have signed it; any if undefined
 * @throws a fault that names the first thing that does not fit
 */
export async function verifyRecord(path: string, expected?: string): Promise<RecordReport> {
  const strange = strangeLayout(path, unreadable)
  if (strange) throw fault(`It is not as Trialbox wrote it. ${strange}`)
  const parts = new Map(partsOfFile(path, OWN, unreadable).map((part) => [part.name, part]))
  const manifest = await textOf(parts, MANIFEST)
  const fingerprint = fingerprintIn(await textOf(parts, SIGNATURE), manifest)
  if (!fingerprint) throw fault(`${SIGNATURE} is not a signature of ${MANIFEST}: one of the two was changed.`)
  if (expected !== undefined && expected !== fingerprint)
    throw fault(`It is signed with another key, whose fingerprint is ${fingerprint}.`)
  await checkHashes(parts, hashesIn(manifest))
  const chain = parts.get(CHAIN)
  return {
    parts: parts.size,
    bytes: statSync(path).size,
    fingerprint,
    chain: chain && (await checkChain(chain, await textOf(parts, 'study.json'))),
  }
}

async function textOf(parts: ReadonlyMap<string, ZipPart>, name: string): Promise<string> {
  const part = parts.get(name)
  if (!part) throw fault(`It has no ${name}: it is not an archive that Trialbox wrote and signed.`)
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of part.pieces()) {
    if ((size += piece.length) > IN_MEMORY) throw fault(`Its ${name} is too large.`)
    pieces.push(Buffer.from(piece))
  }
  return Buffer.concat(pieces).toString()
}

/** The SHA-256 of each part by name, as the manifest says. */
function hashesIn(manifest: string): Map<string, string> {
  const lines = manifest.split('\n').slice(0, -1)
  return new Map(
    lines.map((line) => {
      const [, hash, name] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? []
      if (hash === undefined || name === undefined) throw fault(`${MANIFEST} has a line that is none of a part.`)
      return [name, hash]
    }),
  )
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

/** Computes the chain of the audit trail again, from its first entry, and compares its end with the description of the study. */
async function checkChain(part: ZipPart, study: string): Promise<NonNullable<RecordReport['chain']>> {
  const { trial, heads } = JSON.parse(study) as {
    trial: { _id: string }
    heads: { chain: string; entries: number; hash: string }[]
  }
  const chain = trial._id
  let previous = chainStart(chain)
  let entries = 0
  let withheld = 0
  for await (const line of linesOf(part)) {
    const entry = JSON.parse(line) as ChainLine
    entries++
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
  }
  if (rest) yield rest
}
