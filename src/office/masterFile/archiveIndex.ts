/** The index of a zip as a table and as a page. */
import type { Db } from '#db/open'
import type { LevelledRecord } from '#office/files/checklist/records'
import { referencesOf } from '#office/files/checklist/records'
import { titleOf } from '#office/files/checklist/titles'
import type { Cell, Sheet } from '#writers/cell'
import { sheet } from '#writers/cell'
import type { IndexLine } from './archivePlan'
import { checklistsIn, type MasterFile } from './content'
import { TYPES } from './labels'
import { type ArchivedRow, archivedRows } from './store'

const HEADERS = [
  ...['path', 'site', 'siteName', 'type', 'file', 'description', 'tags', 'number', 'version', 'status'],
  ...[
    'statusAt',
    'statusBy',
    'uploadedAt',
    'uploader',
    'expiresAt',
    'originalName',
    'mimeType',
    'size',
    'sha256',
    'problem',
  ],
]

/** What is wrong with the bytes of a version, by the number of its line. */
export type Problems = ReadonlyMap<number, string>

const moment = (at: number | null): Cell => (at === null ? null : { at })
const lineOf = ({ cells }: ArchivedRow): IndexLine => JSON.parse(cells)

function cellsOf(row: ArchivedRow, problems: Problems): Cell[] {
  const line = lineOf(row)
  const { site, siteName, type, file, description, tags, number, version, status, expiresAt } = line
  return [
    ...[row.path, site, siteName, type, file, description, tags.join('; '), number, version, status],
    ...[moment(line.statusAt), line.statusBy, moment(line.uploadedAt), line.uploader],
    ...[expiresAt === null ? null : { day: expiresAt }],
    ...[line.originalName, line.mimeType, line.size, row.sha256, problems.get(row.n) ?? line.problem],
  ]
}

function* indexCells(db: Db, problems: Problems): Generator<Cell[]> {
  for (const row of archivedRows(db)) yield cellsOf(row, problems)
}

/** A line for each version in the zip, and for each file without one. */
export const indexSheet = (db: Db, problems: Problems): Sheet => sheet('index', HEADERS, indexCells(db, problems))

const APPROVALS = [
  ...[
    'path',
    'site',
    'file',
    'number',
    'request',
    'requestedAt',
    'approver',
    'role',
    'decision',
    'decidedAt',
    'comment',
  ],
  'byLink',
]

function* approvalCells(db: Db): Generator<Cell[]> {
  for (const row of archivedRows(db)) {
    const { site, file, number, reviews } = lineOf(row)
    for (const { request, requestedAt, approver, role, decision, decidedAt, comment, byLink } of reviews)
      yield [
        ...[row.path, site, file, number, request, moment(requestedAt), approver, role, decision, moment(decidedAt)],
        ...[comment, byLink === null ? null : byLink === 1],
      ]
  }
}

/** A line for each person who was asked to approve a version in the zip. */
export const approvalSheet = (db: Db): Sheet => sheet('approvals', APPROVALS, approvalCells(db))

const CHECKLIST = [
  ...['site', 'siteName', 'stage', 'record', 'title', 'references', 'due', 'state', 'files', 'outdated'],
  ...['exemption', 'exemptedBy', 'exemptedAt'],
]

/** The checklist of essential records, with a line for each record of each place. */
export const checklistSheet = (masterFile: MasterFile): Sheet =>
  sheet('checklist', CHECKLIST, checklistCells(masterFile))

function* checklistCells(masterFile: MasterFile): Generator<Cell[]> {
  const title = (record: LevelledRecord) => titleOf(masterFile.writer, record.id)
  for (const { site, stage, entries } of checklistsIn(masterFile)) {
    for (const { record, state, files, outdated, exemption } of entries) {
      const ended = outdated.map(({ name, expiresAt }) => `${name} (${expiresAt})`)
      yield [
        ...[site?.id, site?.name, stage, record.id, title(record), referencesOf(record).join('; '), record.due, state],
        ...[files.map(({ name }) => name).join('; '), ended.join('; '), exemption?.reason, exemption?.createdByName],
        moment(exemption?.createdAt ?? null),
      ]
    }
  }
}

const STYLE =
  'body{font:1rem/1.4 sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;overflow-wrap:anywhere}' +
  'li{margin:.4rem 0}small{color:#444}.problem{color:#a00}'

const href = (path: string) => path.split('/').map(encodeURIComponent).join('/')
const escaped = (text: string) => Bun.escapeHTML(text)

/** An item of the page: the version with a link, and what an inspector looks for. */
function itemOf({ writer, momentText }: MasterFile, row: ArchivedRow, problem: string | null): string {
  const { file, number, version, status, uploadedAt, uploader, size, expiresAt, reviews } = lineOf(row)
  const name = number === null ? file : `${file} – ${number}: ${version}`
  const title = row.path === null ? escaped(name) : `<a href="${href(row.path)}">${escaped(name)}</a>`
  const about = [
    ...[
      status,
      uploader,
      uploadedAt === null ? null : momentText(uploadedAt),
      size === null ? null : writer.writeCounted('masterFileReport.size', size, {}),
    ],
    ...[expiresAt === null ? null : `→ ${expiresAt}`, row.sha256 === null ? null : `SHA-256 ${row.sha256}`],
  ].filter((each) => each !== null)
  const decided = reviews.flatMap(({ approver, decision, decidedAt, comment }) =>
    decision === null ? [] : [[decision, approver, momentText(decidedAt!), comment].filter(Boolean).join(' · ')],
  )
  const decisionsHtml = decided.map((each) => `<br><small>${escaped(each)}</small>`).join('')
  const problemHtml = problem === null ? '' : `<br><strong class="problem">${escaped(problem)}</strong>`
  return `<li dir="auto">${title}<br><small>${escaped(about.join(' · '))}</small>${decisionsHtml}${problemHtml}</li>\n`
}

/** The index as a page for browsers, in pieces. It loads nothing and runs nothing. */
export function* indexPage(masterFile: MasterFile, problems: Problems): Generator<string> {
  const { writer, trial, db, task, momentText } = masterFile
  const title = escaped(`${trial.name}: ${writer.write('masterFileReport.index', {})}`)
  const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`
  yield `<!doctype html>\n<html lang="${writer.language}"><head><meta charset="utf-8">${policy}<title>${title}</title><style>${STYLE}</style></head>\n`
  const intro = writer.write('masterFileReport.intro', {
    trial: trial.name,
    date: momentText(task.at),
    user: task.userName,
  })
  yield `<body>\n<h1>${title}</h1>\n<p>${escaped(intro)}</p>\n`
  let heading = ''
  for (const row of archivedRows(db)) {
    const { site, siteName, type, problem } = lineOf(row)
    const place =
      site === null
        ? writer.write('masterFileReport.trial', {})
        : writer.write('masterFileReport.site', { site: `${siteName} (${site})` })
    const next = `${place} – ${writer.write(TYPES[type], {})}`
    if (next !== heading) yield `${heading && '</ul>\n'}<h2 dir="auto">${escaped(next)}</h2>\n<ul>\n`
    heading = next
    yield itemOf(masterFile, row, problems.get(row.n) ?? problem)
  }
  yield heading
    ? '</ul>\n</body></html>\n'
    : `<p>${escaped(writer.write('masterFileReport.noFiles', {}))}</p>\n</body></html>\n`
}
