import { useMemo, useRef } from 'preact/hooks'
import { type Place, stateOfAct } from '#web/console/data/access'
import { useStudy } from '#web/console/data/study'
import { useItem } from '#web/console/data/useItem'
import { closedFields } from '#web/console/parts/field/closedFields'
import { ReadingProvider, useFieldTexts, useReadingContext } from '#web/console/parts/field/field'
import { formRowsOf, isField } from '#web/console/parts/field/formRows'
import type { Reading, Stage } from '#web/console/parts/field/reading'
import { Failure, Inspector } from '#web/console/parts/parts'
import { FieldQueries } from '#web/console/parts/queries/queries'
import { query, setQuery } from '#web/console/shell/router'
import { useNow } from '#web/kit/page/useNow'
import { EmptyState, Skeleton } from '#web/kit/ui/components'
import { FieldDetails } from './details'
import { FormView, WHOLE_FORM } from './form'
import { type FormRow, firstForm, formListOf } from './formList'
import { FormNav } from './formNav'
import type { Participant } from './head'
import { useTranslator } from './texts'

type Props = { participant: Participant; place: Place; zone: string }

/** The forms of a participant, one of them as it is read, and the details of one of its fields. The address says which. */
export function Casebook({ participant, place, zone }: Props) {
  const { t } = useTranslator()
  const { _id: trial } = useStudy()
  const context = useReadingContext(zone)
  const now = useNow()
  const of = useMemo(() => [trial, participant._id] as [string, string], [trial, participant._id])
  const mayRead = stateOfAct('readParticipantResponses', place) !== 'never'
  const timeline = useItem('readTimeline', '/trials/:trialId/participants/:participantId/stages', of)
  const reading = useItem(
    'readParticipantResponses',
    '/trials/:trialId/participants/:participantId/responses',
    mayRead ? of : undefined,
  )
  const stages = useItem('listStages', '/trials/:trialId/stages', [trial])
  const first = useRef<string | undefined>(undefined)
  const failed = [timeline, reading, stages].find(({ failure, body }) => failure && !body)
  if (failed?.failure) return <Failure failure={failed.failure} onAgain={failed.reload} />
  if (!timeline.body || !stages.body || !context || (mayRead && !reading.body)) return <Skeleton lines={8} />

  const list = formListOf(timeline.body, reading.body, stages.body.stages, now)
  const named = query.value.get('form')
  const row = firstForm(list, named ?? first.current ?? null)
  // What is shown at first stays, also when its query has been answered.
  first.current ??= row?.key
  if (!row) return <EmptyState title={t('casebook.noForms')} note={t('casebook.noFormsNote')} />
  const stage = stages.body.stages.find(({ _id }) => _id === row.stage)
  const refresh = () => {
    reading.reload()
    timeline.reload()
  }
  return (
    <ReadingProvider value={context}>
      <div class={named ? 'panes casebook has-form' : 'panes casebook'}>
        <FormNav list={list} current={row.key} anchors={timeline.body.anchors} isReading={mayRead} />
        <OpenForm
          key={row.key}
          {...{ row, place, zone, refresh }}
          participantId={participant.id}
          stage={stage}
          reading={reading.body}
        />
      </div>
    </ReadingProvider>
  )
}

type OpenFormProps = {
  participantId: string
  row: FormRow
  stage: Stage | undefined
  /** Undefined for people who do not see answers. */
  reading: Reading | undefined
  place: Place
  zone: string
  refresh: () => void
}

/** The chosen form, and the details of the chosen field. */
function OpenForm({ participantId, row, stage, reading, place, zone, refresh }: OpenFormProps) {
  const { t } = useTranslator()
  const fieldTexts = useFieldTexts()
  const { _id: trial } = useStudy()
  const mayList = stateOfAct('listDataTypes', place) !== 'never'
  const types = useItem('listDataTypes', '/trials/:trialId/data-types', mayList ? [trial] : undefined)
  const rows = useMemo(() => {
    if (!reading || !stage || !place.access) return []
    const dataTypes = types.body?.dataTypes ?? []
    return formRowsOf({
      ...{ stage, reading, response: row.response, zone },
      dataTypes: new Map(dataTypes.map((each) => [each._id, each])),
      closedReason: closedFields(dataTypes, place.access, place.places ?? { sites: [], groups: [] }),
    })
  }, [stage, reading, row, types.body, place, zone])
  if (types.failure && !types.body) return <Failure failure={types.failure} onAgain={types.reload} />
  if (mayList && !types.body) return <Skeleton lines={8} />
  const dataType = query.value.get('field')
  const chosen = rows.filter(isField).find((each) => each.dataType === dataType)
  const isWhole = dataType === WHOLE_FORM && row.response !== undefined
  const close = () => {
    setQuery({ field: undefined }, 'replace')
    document.getElementById(`field-${dataType}`)?.focus()
  }
  return (
    <>
      <FormView
        row={row}
        rows={rows}
        reading={reading}
        place={place}
        chosen={chosen?.dataType ?? (isWhole ? WHOLE_FORM : undefined)}
      />
      {chosen ? (
        <Inspector
          key={chosen.dataType}
          title={chosen.title}
          after={
            <>
              {chosen.code && <span class="code faint">{chosen.code}</span>}
              <bdi class="of-whom soft">{participantId}</bdi>
            </>
          }
          onClose={close}
        >
          <FieldDetails row={chosen} response={row.response} place={place} onChanged={refresh} />
        </Inspector>
      ) : isWhole && row.response && reading ? (
        <Inspector
          key={WHOLE_FORM}
          title={fieldTexts.t('field.wholeForm')}
          after={<bdi class="of-whom soft">{participantId}</bdi>}
          onClose={close}
        >
          <FieldQueries
            queries={reading.queries.filter((each) => each.response === row.response?._id && each.dataType === null)}
            response={row.response}
            dataType={null}
            place={place}
            onChanged={refresh}
          />
        </Inspector>
      ) : (
        <aside class="inspector none" aria-label={fieldTexts.t('field.value')}>
          {reading && rows.length > 0 && <p class="faint pad">{t('casebook.noField')}</p>}
        </aside>
      )}
    </>
  )
}
