import type { Place } from '#web/console/data/access'
import { useStudy } from '#web/console/data/study'
import { useShellTranslator } from '#web/console/lang/texts'
import { FieldValue, Range, useFieldTexts, useReading } from '#web/console/parts/field/field'
import { countAnswers, type FieldRow, isField, type Row } from '#web/console/parts/field/formRows'
import type { Reading } from '#web/console/parts/field/reading'
import { Mark } from '#web/console/parts/parts'
import { mayRaise } from '#web/console/parts/queries/queryActs'
import { path, query, setQuery } from '#web/console/shell/router'
import { EmptyState, Notice } from '#web/kit/ui/components'
import { StudyText } from '#web/kit/ui/studyText'
import type { FormRow } from './formList'
import { FormName } from './formNav'
import { useTranslator } from './texts'

type Props = {
  row: FormRow
  rows: readonly Row[]
  /** Undefined for people who do not see answers. */
  reading: Reading | undefined
  place: Place
  /** The field whose details are shown. */
  chosen: string | undefined
}

/** A form as it is read. */
export function FormView({ row, rows, reading, place, chosen }: Props) {
  const { t } = useTranslator()
  const shell = useShellTranslator()
  const { trial } = useStudy()
  const { response, state, isVisible, marks } = row
  const { answered, asked, verified } = countAnswers(rows)
  const formQueries = (reading?.queries ?? []).filter(
    (each) => each.response === response?._id && each.dataType === null,
  )
  return (
    <section class="pane reading" aria-labelledby="form-name">
      <header class="pane-head">
        <a class="back" href={path.value}>
          {t('casebook.showForms')}
        </a>
        <h2 id="form-name" class="cut">
          <FormName row={row} />
        </h2>
        <span class={`pill ${state === 'started' ? 'open' : state}`}>{shell.t(`state.${state}`)}</span>
        {!isVisible && <span class="pill waiting">{t('casebook.onlyStaff')}</span>}
        {marks.isPartial && <span class="pill behind">{t('casebook.partial')}</span>}
        {response?.status && (
          <span class={`pill ${response.status === 'successful' ? 'complete' : 'missed'}`}>
            {t(`casebook.status.${response.status}`)}
          </span>
        )}
        <span class="grow" />
        {trial?.isDatabaseLocked && <Mark name="locked" label={t('casebook.locked')} />}
      </header>
      <div class="scroll">
        <Signatures row={row} signatures={reading?.signatures ?? []} />
        {!reading && (
          <EmptyState
            icon="key"
            title={t('casebook.noAnswers')}
            note={t('casebook.noAnswersNote', { needs: 'readParticipantStudyData' })}
          />
        )}
        {reading && !response && (
          <div class="pad">
            <Notice kind="info" title={t('casebook.notFilled')}>
              {t(state === 'started' ? 'casebook.draft' : 'casebook.notFilledNote')}
            </Notice>
          </div>
        )}
        {response && (
          <WholeForm form={row.key} queries={formQueries} isChosen={chosen === WHOLE_FORM} mayRaise={mayRaise(place)} />
        )}
        <Rows form={row.key} rows={rows} chosen={chosen} isFilled={response !== undefined} />
      </div>
      {response && (
        <footer class="pane-foot">
          <span class="soft">{t('casebook.answeredOf', { answered, asked })}</span>
          <span class="soft">{t('casebook.verifiedOf', { verified, all: Object.keys(response.response).length })}</span>
          {response.score !== undefined && <span class="soft">{t('casebook.score', { score: response.score })}</span>}
          {response.sentLate && <span class="soft">{t('casebook.sentLate')}</span>}
        </footer>
      )}
    </section>
  )
}

function Signatures({ row, signatures }: { row: FormRow; signatures: Reading['signatures'] }) {
  const { t } = useTranslator()
  const { formatValue } = useReading()
  const own = signatures.flatMap((signature) => {
    const of = signature.responses.find(({ response }) => response === row.response?._id)
    return of ? [{ ...signature, isValid: of.valid }] : []
  })
  if (!own.length) return null
  return (
    <ul class="signatures">
      {own.map(({ _id, signer, signedAt, meaning, isValid }) => (
        <li key={_id} class={isValid ? 'signed' : 'soft'}>
          <Mark name="signed" label="" />
          <span>
            {isValid
              ? t('casebook.signedBy', { name: signer.name, when: formatValue.moment(signedAt), meaning })
              : t('casebook.signatureEnded', { name: signer.name })}
          </span>
        </li>
      ))}
    </ul>
  )
}

type RowsProps = { form: string; rows: readonly Row[]; chosen: string | undefined; isFilled: boolean }

function Rows({ form, rows, chosen, isFilled }: RowsProps) {
  return (
    <div class="field-rows">
      {rows.map((row) => {
        if (isField(row))
          return <Field key={row.id} form={form} row={row} isChosen={row.dataType === chosen} isFilled={isFilled} />
        return (
          <div class="heading" key={row.id}>
            {row.title && (
              <h3>
                <StudyText text={row.title} />
              </h3>
            )}
            {row.description && (
              <p class="soft">
                <StudyText text={row.description} />
              </p>
            )}
          </div>
        )
      })}
    </div>
  )
}

/** In the address, in place of a field: what is about the form as a whole. */
export const WHOLE_FORM = 'form'

/** The address of a field of a form; a press opens it without a step of the history for each. */
function toField(form: string, dataType: string) {
  const search = new URLSearchParams({ form, field: dataType })
  return {
    id: `field-${dataType}`,
    href: `${path.value}?${search}`,
    onClick: (event: MouseEvent) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      // Only the first of them is a step of the history: *back* closes the details.
      setQuery({ form, field: dataType }, query.value.has('field') ? 'replace' : 'push')
    },
  }
}

type WholeFormProps = { form: string; queries: Reading['queries']; isChosen: boolean; mayRaise: boolean }

/** The queries about the form as a whole, where there are some or one can be raised. */
function WholeForm({ form, queries, isChosen, mayRaise }: WholeFormProps) {
  const { t } = useTranslator()
  const field = useFieldTexts()
  if (!queries.length && !mayRaise) return null
  return (
    <div class="field-row whole" aria-current={isChosen ? 'true' : undefined}>
      <div class="question">
        <a {...toField(form, WHOLE_FORM)}>{t('casebook.formQueries')}</a>
      </div>
      <div class="answer">
        <span class="faint">{queries.length ? queries.length : field.t('thread.none')}</span>
      </div>
      <QueryMark queries={queries} />
    </div>
  )
}

/** The flag of the query that needs somebody most. */
function QueryMark({ queries, verified }: Pick<FieldRow, 'queries'> & Partial<Pick<FieldRow, 'verified'>>) {
  const { t } = useFieldTexts()
  const worst = (['open', 'answered'] as const).find((each) => queries.some(({ status }) => status === each))
  return (
    <div class="marks">
      {worst && <Mark name={worst === 'open' ? 'query' : 'answered'} label={t(`field.query.${worst}`)} />}
      {verified && <Mark name="verified" label={t('field.verified')} />}
    </div>
  )
}

type FieldProps = { form: string; row: FieldRow; isChosen: boolean; isFilled: boolean }

/** A question with its answer. The whole row opens its details. */
function Field({ form, row, isChosen, isFilled }: FieldProps) {
  const { t } = useTranslator()
  const field = useFieldTexts()
  const { dataType, title, code, isRequired, isForStaff, isFormer, status, askedBy, queries, verified } = row
  return (
    <div class={`field-row is-${status}`} aria-current={isChosen ? 'true' : undefined}>
      <div class="question">
        <a {...toField(form, dataType)}>
          <StudyText text={title} />
        </a>
        {isRequired && (
          <span class="required" title={t('casebook.required')}>
            *<span class="hidden"> {t('casebook.required')}</span>
          </span>
        )}
        <small class="code">
          {code}
          {isForStaff && <span> · {field.t('field.forStaff')}</span>}
          {isFormer && <span> · {field.t('field.former')}</span>}
        </small>
      </div>
      <div class="answer">
        {isFilled || row.closed ? <FieldValue row={row} /> : <span class="faint">–</span>}
        {!row.closed && <Range settings={row.settings} />}
        {askedBy && (
          <span class="hint line">
            {field.t(status === 'notAsked' ? 'field.notAskedBy' : 'field.askedBy', { question: askedBy })}
          </span>
        )}
      </div>
      <QueryMark queries={queries} verified={verified} />
    </div>
  )
}
