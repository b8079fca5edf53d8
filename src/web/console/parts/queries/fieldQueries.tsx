import type { Place } from '#web/console/data/access'
import { useFieldTexts } from '#web/console/parts/field/field'
import type { Query, Response } from '#web/console/parts/field/reading'
import { mayRaise } from './queryActs'
import { RaiseQuery } from './raise'
import { QueryThread } from './thread'

type Props = {
  queries: readonly Query[]
  response: Response
  /** Null for the form as a whole. */
  dataType: string | null
  place: Place
  onChanged: () => void
}

/** The queries about one field, or about the whole form; the last one that is not closed first. */
export function FieldQueries({ queries, response, dataType, place, onChanged }: Props) {
  const { t } = useFieldTexts()
  const order = { open: 0, answered: 1, closed: 2 }
  const sorted = [...queries].sort((a, b) => order[a.status] - order[b.status])
  const mayAsk = mayRaise(place)
  if (!sorted.length && !mayAsk) return null
  return (
    <>
      <h3 class="pane-title">{t('thread.title')}</h3>
      {sorted.map((query) => (
        <QueryThread key={query._id} query={query} place={place} onChanged={onChanged} />
      ))}
      {mayAsk && (
        <RaiseQuery
          key={`${response._id} ${dataType}`}
          response={response._id}
          dataType={dataType}
          onRaised={onChanged}
        />
      )}
    </>
  )
}
