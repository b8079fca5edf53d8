/** The lines of the report on a trial master file: what is lacking, then the index of the files. */
import type { Line } from '#documents/textPages'
import { refuse } from '#kernel/problem'
import type { ChecklistEntry } from '#office/files/checklist/checklist'
import { titleOf } from '#office/files/checklist/titles'
import { fileScopeOf } from '#office/files/rules'
import {
  checklistsIn,
  filesIn,
  listIn,
  type MasterFile,
  placeText,
  type ReportFile,
  type ReportVersion,
} from './content'
import { REVIEWS, STAGES, STATUSES, TYPES } from './labels'
import type { Review } from './store'

const text = (text: string): Line => ({ as: 'text', text })
const small = (text: string): Line => ({ as: 'small', text })

/** The most versions in a report: some 800 pages. */
const MOST_PRINTED = 20_000

/** What the report is about, and what the reader may not see. */
function introLines(masterFile: MasterFile): Line[] {
  const { trial, task, access, writer, momentText } = masterFile
  const { write } = writer
  const { whole, approved } = fileScopeOf(access)
  const user = task.userName
  return [
    text(write('masterFileReport.intro', { trial: trial.name, date: momentText(task.at), user })),
    ...(task.site === undefined
      ? []
      : [text(write('masterFileReport.onlySite', { place: placeText(masterFile, task.site) }))]),
    ...(approved === 'all' ? [] : [text(write('masterFileReport.part', { user }))]),
    ...(whole === 'all' ? [] : [text(write('masterFileReport.approvedOnly', { user }))]),
  ]
}

/** The title of a record with its sections in the guideline. */
function recordText({ writer }: MasterFile, { record }: ChecklistEntry): string {
  const title = titleOf(writer, record.id)
  return record.sections.length ? `${title} (${record.sections.join(', ')})` : title
}

/** The states that have a line of their own, with the text for it. */
const STATES = {
  missing: 'masterFileReport.missing',
  expired: 'masterFileReport.expired',
  notApproved: 'masterFileReport.notApproved',
  expiring: 'masterFileReport.expiring',
} as const

/** What ends soon or has ended: files and training of single persons, or else the best file. */
function endLines({ writer: { write } }: MasterFile, { state, outdated, files }: ChecklistEntry): Line[] {
  if (state !== 'expired' && state !== 'expiring') return []
  const ends = outdated.length ? outdated : files.slice(0, 1)
  return ends.map(({ name, expiresAt }) => small(write('masterFileReport.until', { name, day: expiresAt ?? '' })))
}

function entryLines(masterFile: MasterFile, entry: ChecklistEntry): Line[] {
  const { writer, task, momentText } = masterFile
  const record = recordText(masterFile, entry)
  const { state, exemption } = entry
  if (state in STATES)
    return [text(writer.write(STATES[state as keyof typeof STATES], { record })), ...endLines(masterFile, entry)]
  if (state === 'hidden') return [small(writer.write('masterFileReport.hidden', { record, user: task.userName }))]
  if (!exemption) return []
  const { reason, createdByName: user, createdAt } = exemption
  return [small(writer.write('masterFileReport.notApplicable', { record, reason, user, when: momentText(createdAt) }))]
}

function checklistLines(masterFile: MasterFile): Line[] {
  const { write } = masterFile.writer
  const lines: Line[] = [
    { as: 'heading', text: write('masterFileReport.checklist', {}) },
    text(write('masterFileReport.basis', {})),
  ]
  for (const { place, stage, lacking, entries } of checklistsIn(masterFile)) {
    const inPlace = entries.filter(({ state }) => state === 'present' || state === 'expiring')
    const records = inPlace.map((entry) => recordText(masterFile, entry)).join('; ') || '–'
    lines.push(
      { as: 'name', text: placeText(masterFile, place) },
      text(write('masterFileReport.place', { stage: write(STAGES[stage], {}), lacking })),
      ...entries.flatMap((entry) => entryLines(masterFile, entry)),
      small(write('masterFileReport.present', { records })),
    )
  }
  return lines
}

/** What one person decided, or that they were asked. */
function reviewLines({ writer: { write }, momentText }: MasterFile, review: Review): Line[] {
  const { approver, role, decision, decidedAt, requestedAt, comment } = review
  const about = {
    person: role === null ? approver : `${approver} (${role})`,
    when: momentText(decidedAt ?? requestedAt),
  }
  const key = decision === null ? 'undecided' : decision === 'approved' ? 'approvedBy' : 'rejectedBy'
  return [text(write(REVIEWS[key], about)), ...(comment ? [text(write('masterFileReport.comment', { comment }))] : [])]
}

/** Who decided the status of a version, if somebody was not asked for it. */
function statusLines({ writer: { write }, momentText }: MasterFile, version: ReportVersion): Line[] {
  const { status, statusAt, statusByName: user, reviews } = version
  if (status === 'draft' || reviews.some(({ decision }) => decision === status)) return []
  return [text(write('masterFileReport.statusBy', { user, when: momentText(statusAt) }))]
}

function versionLines(masterFile: MasterFile, version: ReportVersion): Line[] {
  const { writer, momentText, today } = masterFile
  const { write } = writer
  const { number, name, uploaderName: user, createdAt, size, status, expiresAt: day, sha256 } = version
  const bytes = writer.writeCounted('masterFileReport.size', size, {})
  const about = { number, name, user, when: momentText(createdAt), size: bytes, status: write(STATUSES[status], {}) }
  const key = day !== null && day < today ? 'masterFileReport.expiredOn' : 'masterFileReport.validUntil'
  const validity = day === null ? '' : ` ${write(key, { day })}`
  return [
    text(`${write('masterFileReport.version', about)}${validity}`),
    ...statusLines(masterFile, version),
    ...version.reviews.flatMap((review) => reviewLines(masterFile, review)),
    small(`SHA-256 ${sha256}`),
  ]
}

function fileLines(masterFile: MasterFile, { file, versions }: ReportFile): Line[] {
  const { write } = masterFile.writer
  return [
    { as: 'name', text: file.name },
    ...(file.description ? [text(file.description)] : []),
    ...(file.tags.length ? [small(write('masterFileReport.tags', { tags: file.tags.join(', ') }))] : []),
    ...(versions.length ? [] : [text(write('masterFileReport.noVersion', {}))]),
    ...versions.flatMap((version) => versionLines(masterFile, version)),
  ]
}

/** The files by place and type. @throws 400 if there are too many for one PDF */
function indexLines(masterFile: MasterFile): Line[] {
  const { write } = masterFile.writer
  const lines: Line[] = [{ as: 'heading', text: write('masterFileReport.index', {}) }]
  const count = listIn(masterFile)
  if (!count) lines.push(text(write('masterFileReport.noFiles', {})))
  let heading = ''
  let versions = 0
  for (const page of filesIn(masterFile, count)) {
    for (const seen of page) {
      const { site, type } = seen.file
      const next = `${placeText(masterFile, site)} – ${write(TYPES[type], {})}`
      if (next !== heading) lines.push({ as: 'heading', text: next })
      heading = next
      versions += seen.versions.length
      if (versions > MOST_PRINTED) throw refuse.bad('reportTooLong', { most: MOST_PRINTED })
      lines.push(...fileLines(masterFile, seen))
    }
  }
  return lines
}

/** All lines of the report. */
export const linesOf = (masterFile: MasterFile): Line[] => [
  ...introLines(masterFile),
  ...checklistLines(masterFile),
  ...indexLines(masterFile),
]
