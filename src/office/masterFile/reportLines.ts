/** The lines of the report on a trial master file: what is lacking, then the index of the files. */
import type { Line } from '#documents/textPages'
import { refuse } from '#kernel/problem'
import type { Entry } from '#office/files/checklist/checklist'
import { titleOf } from '#office/files/checklist/titles'
import { fileScopeOf } from '#office/files/rules'
import { checklistsIn, filesIn, listIn, type MasterFile, placeText, type SeenFile, type SeenVersion } from './reading'
import type { Review } from './store'
import { REVIEWS, STAGES, STATUSES, TYPES } from './words'

const text = (text: string): Line => ({ as: 'text', text })
const small = (text: string): Line => ({ as: 'small', text })

/** The most versions in a report: some 800 pages. */
export const MOST_PRINTED = 20_000

/** What the report is about, and what the reader may not see. */
function introLines(reading: MasterFile): Line[] {
  const { trial, task, access, writer, shown } = reading
  const { write } = writer
  const { whole, approved } = fileScopeOf(access)
  const user = task.userName
  return [
    text(write('masterFileReport.intro', { trial: trial.name, date: shown(task.at), user })),
    ...(task.site === undefined
      ? []
      : [text(write('masterFileReport.onlySite', { place: placeText(reading, task.site) }))]),
    ...(approved === 'all' ? [] : [text(write('masterFileReport.part', { user }))]),
    ...(whole === 'all' ? [] : [text(write('masterFileReport.approvedOnly', { user }))]),
  ]
}

/** The title of a record with its sections in the guideline. */
function recordText({ writer }: MasterFile, { record }: Entry): string {
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
function endLines({ writer: { write } }: MasterFile, { state, outdated, files }: Entry): Line[] {
  if (state !== 'expired' && state !== 'expiring') return []
  const ends = outdated.length ? outdated : files.slice(0, 1)
  return ends.map(({ name, expiresAt }) => small(write('masterFileReport.until', { name, day: expiresAt ?? '' })))
}

function entryLines(reading: MasterFile, entry: Entry): Line[] {
  const { writer, task, shown } = reading
  const record = recordText(reading, entry)
  const { state, exemption } = entry
  if (state in STATES)
    return [text(writer.write(STATES[state as keyof typeof STATES], { record })), ...endLines(reading, entry)]
  if (state === 'hidden') return [small(writer.write('masterFileReport.hidden', { record, user: task.userName }))]
  if (!exemption) return []
  const { reason, createdByName: user, createdAt } = exemption
  return [small(writer.write('masterFileReport.notApplicable', { record, reason, user, when: shown(createdAt) }))]
}

function checklistLines(reading: MasterFile): Line[] {
  const { write } = reading.writer
  const lines: Line[] = [
    { as: 'heading', text: write('masterFileReport.checklist', {}) },
    text(write('masterFileReport.basis', {})),
  ]
  for (const { place, stage, lacking, entries } of checklistsIn(reading)) {
    const inPlace = entries.filter(({ state }) => state === 'present' || state === 'expiring')
    const records = inPlace.map((entry) => recordText(reading, entry)).join('; ') || '–'
    lines.push(
      { as: 'name', text: placeText(reading, place) },
      text(write('masterFileReport.place', { stage: write(STAGES[stage], {}), lacking })),
      ...entries.flatMap((entry) => entryLines(reading, entry)),
      small(write('masterFileReport.present', { records })),
    )
  }
  return lines
}

/** What one person decided, or that they were asked. */
function reviewLines({ writer: { write }, shown }: MasterFile, review: Review): Line[] {
  const { approver, role, decision, decidedAt, requestedAt, comment } = review
  const about = { person: role === null ? approver : `${approver} (${role})`, when: shown(decidedAt ?? requestedAt) }
  const key = decision === null ? 'undecided' : decision === 'approved' ? 'approvedBy' : 'rejectedBy'
  return [text(write(REVIEWS[key], about)), ...(comment ? [text(write('masterFileReport.comment', { comment }))] : [])]
}

/** Who decided the status of a version, if somebody was not asked for it. */
function statusLines({ writer: { write }, shown }: MasterFile, version: SeenVersion): Line[] {
  const { status, statusAt, statusByName: user, reviews } = version
  if (status === 'draft' || reviews.some(({ decision }) => decision === status)) return []
  return [text(write('masterFileReport.statusBy', { user, when: shown(statusAt) }))]
}

function versionLines(reading: MasterFile, version: SeenVersion): Line[] {
  const { writer, shown, today } = reading
  const { write } = writer
  const { number, name, uploaderName: user, createdAt, size, status, expiresAt: day, sha256 } = version
  const bytes = writer.writeCounted('masterFileReport.size', size, {})
  const about = { number, name, user, when: shown(createdAt), size: bytes, status: write(STATUSES[status], {}) }
  const key = day !== null && day < today ? 'masterFileReport.expiredOn' : 'masterFileReport.validUntil'
  const validity = day === null ? '' : ` ${write(key, { day })}`
  return [
    text(`${write('masterFileReport.version', about)}${validity}`),
    ...statusLines(reading, version),
    ...version.reviews.flatMap((review) => reviewLines(reading, review)),
    small(`SHA-256 ${sha256}`),
  ]
}

function fileLines(reading: MasterFile, { file, versions }: SeenFile): Line[] {
  const { write } = reading.writer
  return [
    { as: 'name', text: file.name },
    ...(file.description ? [text(file.description)] : []),
    ...(file.tags.length ? [small(write('masterFileReport.tags', { tags: file.tags.join(', ') }))] : []),
    ...(versions.length ? [] : [text(write('masterFileReport.noVersion', {}))]),
    ...versions.flatMap((version) => versionLines(reading, version)),
  ]
}

/** The files by place and type. @throws 400 if there are too many for one PDF */
function indexLines(reading: MasterFile): Line[] {
  const { write } = reading.writer
  const lines: Line[] = [{ as: 'heading', text: write('masterFileReport.index', {}) }]
  const count = listIn(reading)
  if (!count) lines.push(text(write('masterFileReport.noFiles', {})))
  let heading = ''
  let versions = 0
  for (const page of filesIn(reading, count)) {
    for (const seen of page) {
      const { site, type } = seen.file
      const next = `${placeText(reading, site)} – ${write(TYPES[type], {})}`
      if (next !== heading) lines.push({ as: 'heading', text: next })
      heading = next
      versions += seen.versions.length
      if (versions > MOST_PRINTED)
        throw refuse.bad(`A report has at most ${MOST_PRINTED} versions. Ask for it site by site, or take the zip.`)
      lines.push(...fileLines(reading, seen))
    }
  }
  return lines
}

/** All lines of the report. */
export const linesOf = (reading: MasterFile): Line[] => [
  ...introLines(reading),
  ...checklistLines(reading),
  ...indexLines(reading),
]
