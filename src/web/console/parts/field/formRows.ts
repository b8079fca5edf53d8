/** A form as it is read: its headings and questions in order, each with its answer and what is known of it (pure). */
import { compileCondition } from '#web/form/engine/engine'
import type { Settings } from '#web/form/stage'
import type { ClosedReason } from './closedFields'
import type { DataType, Entry, Mark, Query, Reading, Response, Stage } from './reading'

type Component = NonNullable<Stage['components']>[number]

/**
 * What there is to say of a question.
 * `answered`; `reason`: an option that says why there is no answer; `removed`: blank now, answered before; `notAsked`: its condition does
 * not hold; `closed`: the reader does not see it; `unknown`: it is shown by an answer that the reader does not see; `blank`.
 */
export type FieldStatus = 'answered' | 'reason' | 'removed' | 'notAsked' | 'closed' | 'unknown' | 'blank'

export type FieldRow = {
  kind: 'field'
  id: string
  dataType: string
  title: string
  description: string | undefined
  code: string | undefined
  settings: Settings | undefined
  isRequired: boolean
  isComputed: boolean
  /** Whether only staff answer it. */
  isForStaff: boolean
  /** Whether the form no longer has it. */
  isFormer: boolean
  status: FieldStatus
  closed: ClosedReason | undefined
  entry: Entry | undefined
  /** The title of the question that decides whether it is asked. */
  askedBy: string | undefined
  queries: readonly Query[]
  verified: Mark | undefined
}

export type HeadingRow = {
  kind: 'heading'
  id: string
  title: string
  description: string | undefined
  isSection: boolean
}
export type Row = FieldRow | HeadingRow

type Input = {
  stage: Pick<Stage, 'components'>
  dataTypes: ReadonlyMap<string, DataType>
  response: Response | undefined
  reading: Pick<Reading, 'queries' | 'responseValidations'> | undefined
  closedReason: (dataType: string) => ClosedReason | undefined
  zone: string
}

type Visibility = 'shown' | 'notAsked' | 'unknown'

/** Returns a function that returns whether a component is asked, by the answers that the reader sees, along chains of conditions. */
function shownTest({ stage, dataTypes, response, closedReason, zone }: Input) {
  const first = new Map<string, Component>()
  for (const each of stage.components ?? [])
    if (each.dataType && !first.has(each.dataType)) first.set(each.dataType, each)
  const inProgress = new Set<string>()
  function isShown({ id, condition }: Component): Visibility {
    // Circles are refused when a form is saved. If there were one, this would end the recursion.
    if (!condition || inProgress.has(id)) return 'shown'
    if (closedReason(condition.dataType)) return 'unknown'
    const settings = dataTypes.get(condition.dataType)
    if (!settings) return 'unknown'
    inProgress.add(id)
    const other = first.get(condition.dataType)
    const before = other ? isShown(other) : 'shown'
    inProgress.delete(id)
    if (before !== 'shown') return before
    const value = response?.response[condition.dataType]?.value
    const holds = compileCondition(condition as never, settings as never)(value ?? undefined, zone)
    return holds ? 'shown' : 'notAsked'
  }
  return isShown
}

function statusOf(entry: Entry | undefined, settings: DataType | undefined, shown: Visibility): FieldStatus {
  const value = entry?.value
  if (value !== undefined && value !== null) {
    const reasons = new Set((settings?.options ?? []).flatMap(({ label, missing }) => (missing ? [label] : [])))
    return Array.isArray(value) && value.some((label) => reasons.has(label)) ? 'reason' : 'answered'
  }
  if (shown !== 'shown') return shown
  return entry ? 'removed' : 'blank'
}

/** The rows of a form, in its order; then the answers to questions that it no longer has. Values of closed fields are in no row. */
export function formRowsOf(input: Input): Row[] {
  const { stage, dataTypes, response, reading, closedReason } = input
  const isShown = shownTest(input)
  const components = stage.components ?? []
  const titles = new Map(
    components.toReversed().flatMap(({ dataType, title }) => (dataType ? [[dataType, title] as const] : [])),
  )
  const queries = (reading?.queries ?? []).filter((each) => each.response === response?._id)
  const marks = (response && reading?.responseValidations[response._id]) ?? []
  const seen = new Set<string>()

  const fieldRow = (dataType: string, component: Component | undefined): FieldRow => {
    const settings = dataTypes.get(dataType)
    const sent = response?.response[dataType]
    // Who may not list the fields of the study knows nothing of this one; what the server sends of it is theirs to see.
    const closed = settings || !sent ? closedReason(dataType) : undefined
    const entry = closed ? undefined : sent
    const shown = component ? isShown(component) : 'shown'
    return {
      kind: 'field',
      id: component?.id ?? dataType,
      dataType,
      title: component?.title || settings?.name || '',
      description: component?.description ?? undefined,
      code: settings?.code,
      settings: settings as Settings | undefined,
      isRequired: component?.isRequired === true,
      isComputed: settings?.format === 'calculation',
      isForStaff: component?.isHidden === true,
      isFormer: component === undefined,
      status: closed ? 'closed' : statusOf(entry, settings, shown),
      closed,
      entry,
      askedBy: component?.condition ? titles.get(component.condition.dataType) : undefined,
      queries: queries.filter((each) => each.dataType === dataType),
      verified: marks.find((each) => each.dataType === dataType),
    }
  }

  const rows = components.flatMap((component): Row[] => {
    const { id, type, title, description, dataType } = component
    if (dataType) {
      // A field has one answer, and the rules of its first question.
      if (seen.has(dataType)) return []
      seen.add(dataType)
      return [fieldRow(dataType, component)]
    }
    if (type === 'scheduledNotification') return []
    const isSection = type === 'sectionDivider'
    return [{ kind: 'heading', id, title, description: description ?? undefined, isSection }]
  })
  const former = Object.keys(response?.response ?? {}).filter((dataType) => !seen.has(dataType))
  return [...rows, ...former.map((dataType) => fieldRow(dataType, undefined))]
}

export const isField = (row: Row): row is FieldRow => row.kind === 'field'

/** How many questions are answered, of those that are asked and that the reader sees. */
export function countAnswers(rows: readonly Row[]): { answered: number; asked: number; verified: number } {
  const fields = rows.filter(isField)
  const asked = fields.filter(({ status }) => status !== 'notAsked' && status !== 'closed' && status !== 'unknown')
  const answered = asked.filter(({ status }) => status === 'answered' || status === 'reason')
  return { answered: answered.length, asked: asked.length, verified: fields.filter(({ verified }) => verified).length }
}
