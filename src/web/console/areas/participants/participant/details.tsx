import type { Place } from '#web/console/data/access'
import { FieldHistory, FieldValue, Range, useFieldTexts, useReading } from '#web/console/parts/field/field'
import type { FieldRow } from '#web/console/parts/field/formRows'
import type { Response } from '#web/console/parts/field/reading'
import { Mark } from '#web/console/parts/parts'
import { FieldQueries } from '#web/console/parts/queries/queries'

type Props = {
  row: FieldRow
  /** Absent if nothing was entered in the form. */
  response: Response | undefined
  place: Place
  onChanged: () => void
}

/** What there is to know of a field of a form: its value, its queries, its history. */
export function FieldDetails({ row, response, place, onChanged }: Props) {
  const { t } = useFieldTexts()
  const { formatValue, nameOf } = useReading()
  const { verified, closed, description } = row
  return (
    <>
      <div class="details-value">
        {description && <p class="soft">{description}</p>}
        <div class="value">
          <FieldValue row={row} />
        </div>
        <Range settings={row.settings} />
        {closed && <p class="soft">{t('field.closedNote', { needs: needsOf(closed) })}</p>}
        {verified && (
          <p class="verified">
            <Mark name="verified" label="" />
            {t('field.verifiedBy', {
              name: nameOf(verified.verifiedBy),
              when: formatValue.moment(verified.verifiedAt),
            })}
          </p>
        )}
      </div>
      {!closed && response && (
        <>
          <FieldQueries
            queries={row.queries}
            response={response}
            dataType={row.dataType}
            place={place}
            onChanged={onChanged}
          />
          <h3 class="pane-title">{t('history.title')}</h3>
          <FieldHistory
            response={response._id}
            dataType={row.dataType}
            settings={row.settings}
            version={response.updatedAt}
          />
        </>
      )}
    </>
  )
}

/** The permissions that a reader of a closed field lacks. */
function needsOf(closed: NonNullable<FieldRow['closed']>): string {
  const [restricted, pii] = ['readParticipantStudyDataRestricted', 'readParticipantStudyDataPii']
  if (closed === 'restricted') return restricted!
  return closed === 'personal' ? pii! : `${restricted}, ${pii}`
}
