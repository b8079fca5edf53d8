import { useStudy } from '#web/console/data/study'
import { useItem } from '#web/console/data/useItem'
import { useFieldTexts, useReading } from '#web/console/parts/field/field'
import { Glyph, Mark } from '#web/console/parts/parts'
import { path } from '#web/console/shell/router'
import { StudyText } from '#web/kit/ui/studyText'
import type { FormList, FormRow, StaffTimeline } from './formList'
import { useTranslator } from './texts'

type Props = {
  list: FormList
  /** The key of the form that is shown. */
  current: string
  anchors: StaffTimeline['anchors']
  /** Whether the person sees answers. */
  isReading: boolean
}

/** The forms of a participant, each with its state and its marks; then the dates on which the schedule rests. */
export function FormNav({ list, current, anchors, isReading }: Props) {
  const { t } = useTranslator()
  const { scheduled, adHoc, done } = list
  return (
    <nav class="pane form-tree" aria-label={t('casebook.forms')}>
      <div class="scroll">
        {scheduled.length > 0 && (
          <>
            <h2>
              <span>{t('casebook.scheduled')}</span>
              <bdi>{t('casebook.scheduledOf', { done, all: scheduled.length })}</bdi>
            </h2>
            <Forms rows={scheduled} current={current} />
          </>
        )}
        {adHoc.length > 0 && (
          <>
            <h2>
              <span>{t('casebook.adHoc')}</span>
            </h2>
            <Forms rows={adHoc} current={current} />
          </>
        )}
        {anchors.length > 0 && <Dates anchors={anchors} />}
        {!isReading && <p class="faint pad">{t('casebook.noAnswers')}</p>}
      </div>
    </nav>
  )
}

const Forms = ({ rows, current }: { rows: readonly FormRow[]; current: string }) => (
  <ul>
    {rows.map((row) => (
      <li key={row.key}>
        <a href={`${path.value}?form=${row.key}`} aria-current={row.key === current ? 'true' : undefined}>
          <Glyph state={row.state} />
          <FormName row={row} />
          <FormMarks row={row} />
          <When row={row} />
        </a>
      </li>
    ))}
  </ul>
)

/** The name of a form, with its number among several. */
export function FormName({ row: { name, number } }: { row: FormRow }) {
  const { t } = useTranslator()
  return (
    <span class="name">
      <StudyText text={number === undefined ? name : t('casebook.numbered', { name, number })} />
    </span>
  )
}

function FormMarks({ row: { marks } }: { row: FormRow }) {
  const { t } = useTranslator()
  const field = useFieldTexts()
  const { query, isVerified, isSigned, isPartial } = marks
  return (
    <span class="marks">
      {isPartial && <Mark name="partial" label={t('casebook.partial')} />}
      {query && <Mark name={query === 'open' ? 'query' : 'answered'} label={field.t(`field.query.${query}`)} />}
      {isSigned && <Mark name="signed" label={t('casebook.signed')} />}
      {isVerified && <Mark name="verified" label={t('casebook.verified')} />}
    </span>
  )
}

/** The day that matters: when it was answered, until when it is open, or when it opens. */
function When({ row }: { row: FormRow }) {
  const { t } = useTranslator()
  const { shortDay } = useReading()
  const { state, completedAt, enableAt, expiresAt, isAdHoc } = row
  const text =
    state === 'complete'
      ? completedAt && shortDay(completedAt)
      : state === 'waiting'
        ? enableAt
          ? shortDay(enableAt)
          : t('casebook.when.unknown')
        : state === 'behind'
          ? t('casebook.when.late')
          : state === 'missed'
            ? expiresAt && shortDay(expiresAt)
            : expiresAt
              ? t('casebook.when.until', { day: shortDay(expiresAt) })
              : isAdHoc
                ? t('casebook.when.any')
                : enableAt && shortDay(enableAt)
  return text ? (
    <span class="when">
      <bdi>{text}</bdi>
    </span>
  ) : null
}

function Dates({ anchors }: { anchors: StaffTimeline['anchors'] }) {
  const { t } = useTranslator()
  const { _id } = useStudy()
  const { formatValue } = useReading()
  const { body } = useItem('listAnchors', '/trials/:trialId/anchors', [_id])
  if (!body) return null
  return (
    <>
      <h2>
        <span>{t('casebook.dates')}</span>
      </h2>
      <dl>
        {anchors.map(({ anchor, datetime }) => (
          <div key={anchor}>
            <dt>
              <StudyText text={body.anchors.find(({ _id: own }) => own === anchor)?.name} />
            </dt>
            <dd>
              <bdi>{formatValue.day(datetime)}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}
