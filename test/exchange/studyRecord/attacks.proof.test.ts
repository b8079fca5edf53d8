/** Archives that somebody changed, and what `trialbox verify-record` says of them (docs/exports.md, "Proof"). */
import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { signatureText } from '#documents/archives/signature'
import { openSignedArchive } from '#documents/archives/writer'
import { verifyRecord } from '#exchange/studyRecord/verifyRecord'
import { sha256 } from '#kernel/id'
import { keyPairFrom } from '#kernel/publicKeys'
import { replaceFile, replaceFileLater } from '#writers/file'
import { zipTo } from '#writers/zip'
import { fromSource, runProgram } from '../../program'
import { type Study, study } from '../../study'
import { temporaryFolder } from '../../temporary'
import { downloaded, ended, partsOf, recordOf } from './archive'

type Parts = Map<string, Uint8Array | string>

const folder = temporaryFolder()
let written = 0
const newPath = () => join(folder, `attack-${++written}.zip`)

function saved(bytes: Uint8Array): string {
  const path = newPath()
  writeFileSync(path, bytes)
  return path
}

/** An archive with exactly these parts. */
function zipped(parts: Iterable<readonly [string, Uint8Array | string]>): string {
  const path = newPath()
  replaceFile(path, (output) => {
    const zip = zipTo(output)
    for (const [name, content] of parts) {
      if (typeof content === 'string') zip.add(name, content)
      else zip.store(name, content.length, [content])
    }
    zip.end()
  })
  return path
}

const attacker = keyPairFrom(new Uint8Array(32).fill(7))

/** The same parts with a manifest that fits them, signed with a key of one's own. */
function signedAgain(parts: Parts, manifestOf = (lines: string[]) => lines): string {
  const own = [...parts].filter(([name]) => name !== 'MANIFEST' && name !== 'SIGNATURE.json')
  const manifest = manifestOf(own.map(([name, content]) => `${sha256(content)}  ${name}\n`)).join('')
  return zipped([...own, ['MANIFEST', manifest], ['SIGNATURE.json', signatureText(attacker, manifest)]])
}

const recordBytes = async (s: Study) => {
  const { jobId } = await s.owner.do('exportStudyRecord', s.trial)
  return downloaded(s, recordOf(await ended(s.owner, jobId)).request)
}

async function records() {
  const s = await study()
  await s.enter({ pulse: 72 })
  const first = await recordBytes(s)
  await s.enter({ pulse: 80 }, {}, s.owner, s.url(s.bert))
  return { bytes: first, later: await recordBytes(s), fingerprint: (await s.owner.do('readSigningKey')).fingerprint }
}

const { bytes, later, fingerprint } = await records()
const parts: Parts = partsOf(bytes)
const laterParts: Parts = partsOf(later)
const like = (change: (made: Parts) => unknown): Parts => {
  const made: Parts = new Map(parts)
  change(made)
  return made
}
const from = (made: Parts, name: string) => made.get(name) ?? ''

describe('a record', () => {
  test.each<[string, () => string, RegExp]>([
    [
      'with a file of a later record',
      () => zipped(like((made) => made.set('data/Visit.csv', from(laterParts, 'data/Visit.csv')))),
      /part data\/Visit\.csv was changed/,
    ],
    [
      'with the manifest and signature of a later record',
      () =>
        zipped(like((made) => ['MANIFEST', 'SIGNATURE.json'].map((name) => made.set(name, from(laterParts, name))))),
      /was changed/,
    ],
    [
      'with the signature of a later record',
      () => zipped(like((made) => made.set('SIGNATURE.json', from(laterParts, 'SIGNATURE.json')))),
      /SIGNATURE\.json is not a signature of MANIFEST/,
    ],
    [
      'with a file under another name',
      () =>
        zipped([...parts].map(([name, content]) => [name === 'messages.csv' ? 'mail.csv' : name, content] as const)),
      /part messages\.csv is missing/,
    ],
    [
      'whose manifest has another order',
      () =>
        zipped(
          like((made) => made.set('MANIFEST', `${from(made, 'MANIFEST')}`.trimEnd().split('\n').reverse().join('\n'))),
        ),
      /SIGNATURE\.json is not a signature of MANIFEST/,
    ],
    [
      'whose manifest lists a file twice',
      () => signedAgain(parts, (lines) => [`${'0'.repeat(64)}  study.json\n`, ...lines]),
      /MANIFEST lists its part study\.json twice/,
    ],
    [
      'that is not signed',
      () => zipped(like((made) => made.delete('SIGNATURE.json'))),
      /a version of Trialbox .* did not sign yet/,
    ],
    [
      'of a version that signs otherwise',
      () => zipped(like((made) => made.set('SIGNATURE.json', '{"format":2}'))),
      /A newer version of Trialbox wrote and signed it/,
    ],
    ...['../evil.csv', '/etc/evil', 'a/../../b', 'C:\\evil', 'a\\b', 'a//b', './a', 'a\nb'].map(
      (name): [string, () => string, RegExp] => [
        `with a file called ${JSON.stringify(name)}`,
        () => signedAgain(like((made) => made.set(name, 'x'))),
        /has a name that Trialbox never gives: do not unpack it/,
      ],
    ),
    [
      'whose study.json is no JSON',
      () => signedAgain(like((made) => made.set('study.json', '{'))),
      /study\.json does not say where its audit trail ends/,
    ],
    [
      'whose study.json names no head',
      () => signedAgain(like((made) => made.set('study.json', '{"trial":{"_id":"a"},"heads":[null,{}]}'))),
      /Entry 1 of its audit trail does not fit/,
    ],
    ...['nothing', 'null', '[]', '"text"'].map((line): [string, () => string, RegExp] => [
      `whose audit trail has the line ${line}`,
      () => signedAgain(like((made) => made.set('audit-chain.jsonl', `${line}\n`))),
      /Entry 1 of its audit trail cannot be read/,
    ]),
    ['that is empty', () => saved(Buffer.alloc(0)), /The file is empty/],
    ['that is a folder', () => folder, /is not a file/],
  ])('%s is refused', async (_, make, problem) => {
    await expect(verifyRecord(make())).rejects.toThrow(problem)
  })

  test('signed by another server is refused if the key is given, and shows its key if not', async () => {
    const path = signedAgain(parts)
    await expect(verifyRecord(path, fingerprint)).rejects.toThrow('It is signed with another key')
    expect((await verifyRecord(path)).fingerprint).not.toBe(fingerprint)
  })

  test('cut short anywhere is refused in words', async () => {
    const ends = Array.from({ length: 24 }, (_, at) => Math.floor((bytes.length * at) / 24))
    for (const end of [...ends.slice(1), bytes.length - 1])
      await expect(verifyRecord(saved(bytes.subarray(0, end)))).rejects.toThrow(
        /zip archive is damaged|not as Trialbox/,
      )
  })
})

describe('a bomb is refused before it is in memory:', () => {
  test.each(['MANIFEST', 'SIGNATURE.json'])('%s', async (name) => {
    const path = zipped(like((made) => made.set(name, ' '.repeat(40 << 20))))
    await expect(verifyRecord(path)).rejects.toThrow(`Its ${name} is too large.`)
  })

  test('a line of the audit trail without an end', async () => {
    const path = newPath()
    const piece = ' '.repeat(1 << 20)
    await replaceFileLater(path, async (output) => {
      const archive = openSignedArchive(output, 'another secret')
      await archive.text(
        'audit-chain.jsonl',
        (function* () {
          for (let megabyte = 0; megabyte < 70; megabyte++) yield piece
        })(),
      )
      await archive.text('study.json', ['{"trial":{"_id":"a"},"heads":[]}'])
      archive.end()
    })
    await expect(verifyRecord(path)).rejects.toThrow('Its audit trail has a line that is too long.')
  })
})

test('the command says what is wrong in one line, with exit code 1', async () => {
  const path = zipped(like((made) => made.set('data/Visit.csv', 'changed')))
  const { code, out, err } = await runProgram(fromSource, 'verify-record', path)
  expect([code, out]).toEqual([1, ''])
  expect(err).toBe('trialbox: Its part data/Visit.csv was changed: it does not have the SHA-256 in MANIFEST.\n')
})
