import { useMemo, useState } from 'preact/hooks'
import { holdsAnywhere } from '#access/caller'
import { type Place, stateOfAct } from '#web/console/data/access'
import { useStudy } from '#web/console/data/study'
import { useItem } from '#web/console/data/useItem'
import { closedFields } from '#web/console/parts/field/closedFields'
import {
  FieldHistory,
  FieldValue,
  Range,
  ReadingProvider,
  useFieldTexts,
  useReadingContext,
} from '#web/console/parts/field/field'
import { type FieldRow, formRowsOf, isField } from '#web/console/parts/field/formRows'
import type { DataType, Stage } from '#web/console/parts/field/reading'
import { Failure, Inspector } from '#web/console/parts/parts'
import { QueryThread } from '#web/console/parts/queries/queries'
import { pathIn } from '#web/console/shell/router'
import type { AnswerOf } from '#web/kit/api/operations'
import { ButtonLink, EmptyState, Skeleton } from '#web/kit/ui/components'
import { StudyText } from '#web/kit/ui/studyText'
import { formName } from './formName'
import { useTranslator } from './texts'

type Query = AnswerOf<'readQuery'>

type Props = {
  /** Of the query; undefined if none is chosen. */
  id: string | undefined
  /** The query as the list has it. */
  known: Query | undefined
  /** Undefined until they are read. */
  stages: readonly Stage[] | undefined
  /** Whether the person comes here from the one before, and goes on writing. */
  isNext: boolean
  /** After it was answered, closed or opened again. @param status that it has now */
  onChanged: (status: Query['status']) => void
  onClose: () => void
}

/** The chosen query: where it is, the value, the thread, the history. */
export function QueryInspector({ id, known, stages, isNext, onChanged, onClose }: Props) {
  const { t } = useTranslator()
  const own = useItem('readQuery', '/queries/:queryId', id && !known ? [id] : undefined)
  const [changed, setChanged] = useState<Query>()
  const query = latestOf([known, own.body, changed])
  if (!id) {
    return (
      <aside class="inspector none" aria-label={t('queries.title')}>
        <p class="faint pad">{t('queries.choose')}</p>
      </aside>
    )
  }
  if (query)
    return (
      <Chosen
        {...{ query, stages, isNext, onClose }}
        onChanged={(next) => {
          setChanged(next)
          onChanged(next.status)
        }}
      />
    )
  return (
    <Inspector title={t('queries.title')} onClose={onClose}>
      {own.failure?.status === 404 ? (
        <EmptyState icon="warning" title={t('queries.gone')} note={t('queries.goneNote')} />
      ) : own.failure ? (
        <Failure failure={own.failure} onAgain={own.reload} />
      ) : (
        <Skeleton lines={4} />
      )}
    </Inspector>
  )
}

type ChosenProps = { query: Query; onChanged: (query: Query) => void } & Pick<Props, 'stages' | 'isNext' | 'onClose'>

/** The one that was changed last, of what is known of a query. */
const latestOf = (all: readonly (Query | undefined)[]): Query | undefined =>
  all.reduce((last, each) => (each && (!last || each.updatedAt > last.updatedAt) ? each : last), undefined)

function Chosen({ query, stages, isNext, onChanged, onClose }: ChosenProps) {
  const { t } = useTranslator()
  const { _id: trial, segment, trial: settings, place, at } = useStudy()
  const stage = stages?.find(({ _id }) => _id === query.stage)
  // What the person may do depends on where the participant is; days and times on their zone.
  const isPerson =
    query.participant !== null && place.access !== undefined && holdsAnywhere(place.access, 'readParticipants')
  const person = useItem(
    'readParticipant',
    '/trials/:trialId/participants/:participantId',
    isPerson ? [trial, query.participant ?? ''] : undefined,
  )
  const where = useMemo(
    () => (person.body ? at(person.body) : isPerson ? undefined : place),
    [person.body, isPerson, place, at],
  )
  const zone = person.body?.timezone ?? settings?.timezone ?? 'UTC'
  const context = useReadingContext(zone)
  const mayList = stateOfAct('listDataTypes', place) !== 'never'
  const types = useItem('listDataTypes', '/trials/:trialId/data-types', mayList ? [trial] : undefined)
  const dataTypes = types.body?.dataTypes
  const title = stage?.components?.find((each) => each.dataType === query.dataType)?.title
  const form = formName(stage, query.stageRecurrence, t)
  const casebook = query.participant && casebookOf(segment, query)
  if (person.failure && !person.body) {
    return (
      <Inspector title={title ?? form} onClose={onClose}>
        <Failure failure={person.failure} onAgain={person.reload} />
      </Inspector>
    )
  }
  if (!context || !where || !stages || (mayList && !dataTypes)) {
    return (
      <Inspector title={title ?? form} onClose={onClose}>
        <Skeleton lines={4} />
      </Inspector>
    )
  }
  return (
    <ReadingProvider value={context}>
      <Inspector title={title ?? form} onClose={onClose}>
        <p class="where">
          <b>
            <bdi>{query.participantId ?? t('queries.noParticipant')}</bdi>
          </b>{' '}
          <StudyText class="soft" text={form} />
          <span class="grow" />
          {casebook && <ButtonLink href={casebook}>{t('queries.openForm')}</ButtonLink>}
        </p>
        <FieldOfQuery {...{ query, stage, place: where, zone }} dataTypes={dataTypes ?? []}>
          <QueryThread query={query} place={where} takesFocus={isNext} onChanged={onChanged} />
        </FieldOfQuery>
      </Inspector>
    </ReadingProvider>
  )
}

/** The form of a query in the casebook, with the details of its field. */
function casebookOf(segment: string, { participant, stage, stageRecurrence, dataType }: Query): string {
  const search = new URLSearchParams({ form: `${stage}::${stageRecurrence}`, ...(dataType ? { field: dataType } : {}) })
  return `${pathIn(segment, 'participants', participant ?? '', 'casebook')}?${search}`
}

type FieldProps = {
  query: Query
  stage: Stage | undefined
  dataTypes: readonly DataType[]
  place: Place
  zone: string
  /** The thread, between the value and its history. */
  children: preact.ComponentChildren
}

/** The value that a query is about, and its history. */
function FieldOfQuery({ query, stage, dataTypes, place, zone, children }: FieldProps) {
  const { _id: trial } = useStudy()
  const { t } = useFieldTexts()
  const { dataType, response: id } = query
  const reading = useItem('readResponse', '/trials/:trialId/responses/:responseId', [trial, id])
  const response = reading.body?.responses[0]
  const row = useMemo((): FieldRow | undefined => {
    if (!response || !place.access) return undefined
    const rows = formRowsOf({
      ...{ stage: stage ?? { components: [] }, reading: reading.body, response, zone },
      dataTypes: new Map(dataTypes.map((each) => [each._id, each])),
      closedReason: closedFields(dataTypes, place.access, place.places ?? { sites: [], groups: [] }),
    })
    return rows.filter(isField).find((each) => each.dataType === dataType)
  }, [response, reading.body, stage, dataTypes, dataType, place, zone])
  return (
    <>
      {dataType !== null && (
        <div class="details-value">
          {reading.failure && !response && <Failure failure={reading.failure} onAgain={reading.reload} />}
          {row && (
            <>
              <div class="value">
                <FieldValue row={row} />
              </div>
              <Range settings={row.settings} />
            </>
          )}
        </div>
      )}
      {children}
      {row && response && dataType !== null && (
        <>
          <h3 class="pane-title">{t('history.title')}</h3>
          <FieldHistory response={id} dataType={dataType} settings={row.settings} version={response.updatedAt} />
        </>
      )}
    </>
  )
}
