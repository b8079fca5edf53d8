/** A master file with files at the trial and its sites, and the readers of its report and its zip. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '#kernel/id'
import { downloaded, ended } from '../../exchange/studyRecord/archive'
import type { Person } from '../../harness'
import { present } from '../../present'
import { inFolder } from '../../writers/folder'
import { checklist } from '../files/checklist/checklist.study'
import type { Fields } from '../files/files.study'

const run = (command: string[], cwd?: string): string => {
  const done = Bun.spawnSync(command, { cwd, env: { ...process.env, LC_ALL: 'C.UTF-8' } })
  if (done.exitCode) throw new Error(`${command[0]}: ${done.stdout}${done.stderr}`)
  return done.stdout.toString()
}

/** The text of a PDF as poppler reads it, with single spaces. */
const pdfText = (pdf: Uint8Array): string =>
  inFolder((folder) => {
    const path = join(folder, 'a.pdf')
    writeFileSync(path, pdf)
    return run(['pdftotext', '-layout', path, '-']).replace(/\s+/g, ' ')
  })

/** Every file below a folder, by path. */
function filesBelow(folder: string, below = ''): [string, Buffer][] {
  return readdirSync(join(folder, below)).flatMap((name): [string, Buffer][] => {
    const path = below ? `${below}/${name}` : name
    return statSync(join(folder, path)).isDirectory()
      ? filesBelow(folder, path)
      : [[path, readFileSync(join(folder, path))]]
  })
}

/** The files of a zip as `unzip` unpacks it. Fails if `sha256sum -c MANIFEST` finds a difference. */
const unzipped = (zip: Uint8Array): Map<string, Buffer> =>
  inFolder((folder) => {
    writeFileSync(join(folder, 'a.zip'), zip)
    const into = join(folder, 'out')
    mkdirSync(into)
    run(['unzip', '-q', join(folder, 'a.zip'), '-d', into])
    run(['sha256sum', '-c', '--strict', '--quiet', 'MANIFEST'], into)
    if (!existsSync(join(into, 'MANIFEST'))) throw new Error('There is no MANIFEST.')
    return new Map(filesBelow(into).sort(([a], [b]) => (a < b ? -1 : 1)))
  })

export type ArchiveResult = {
  request: string
  fileName: string
  sha256: string
  counts: { files: number; versions: number }
  amiss: { path: string; problem: string }[]
}

export async function reportStudy() {
  const c = await checklist()
  return {
    ...c,
    /** The text of the report, and what the request answered. */
    async report(body: Fields = {}, by: Person = c.owner) {
      const answer = await by.post<'exportMasterFileReport'>(`${c.all}/reports`, body)
      const pdf = await downloaded(c, answer.url)
      if (sha256(pdf) !== answer.sha256) throw new Error('The PDF has another SHA-256.')
      return { ...answer, text: pdfText(pdf) }
    },
    /** The files of a zip, and the result of its job. */
    async archive(body: Fields = {}, by: Person = c.owner) {
      const { jobId } = await by.post<'exportMasterFile'>(`${c.all}/archives`, body)
      const job = await ended(by, jobId)
      if (job.status !== 'done') throw new Error(`${job.error}`)
      const result = present(job.result) as ArchiveResult
      const zip = await downloaded(c, result.request)
      if (sha256(zip) !== result.sha256) throw new Error('The zip has another SHA-256.')
      return { ...result, parts: unzipped(zip) }
    },
  }
}
