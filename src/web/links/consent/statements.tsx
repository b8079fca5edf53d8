/** What a person agrees to: statements that are needed, and those about which they are free. */
import { Choice, Field } from '#web/kit/ui/components'
import type { Condition } from './requests'
import { StepActions } from './stepActions'
import { type ConsentInput, statementFaults } from './steps'
import { useTranslator } from './translator'
import { useFaults } from './useFaults'
import type { Flow } from './useFlow'

/** What the form holds. The names of its fields have the place of a statement, since its id may be any text. */
function readStatements(
  form: HTMLFormElement,
  conditions: readonly Condition[],
): Pick<ConsentInput, 'confirmations' | 'initials'> {
  const data = new FormData(form)
  const entries = conditions.map(({ id, optional }, at) => {
    const value = data.get(`statement-${at}`)
    return [id, optional && value === null ? undefined : value === 'yes'] as const
  })
  const initials = conditions.map(({ id }, at) => [id, `${data.get(`initials-${at}`) ?? ''}`] as const)
  return {
    confirmations: Object.fromEntries(entries.filter((each): each is [string, boolean] => each[1] !== undefined)),
    initials: Object.fromEntries(initials),
  }
}

export function Statements({ flow }: { flow: Flow }) {
  const { t } = useTranslator()
  const { session, work, change, next } = flow
  const { conditions } = session.sheet
  const { form, faults, setFaults, clearOnInput } = useFaults()

  function currentFaults(now: ConsentInput): Record<string, string> {
    const words = {
      confirm: t('consent.needsConfirm'),
      choice: t('consent.needsChoice'),
      initials: t('consent.needsInitials'),
    }
    return Object.fromEntries(
      statementFaults(session.sheet, now).map(({ id, fault }) => {
        const at = conditions.findIndex((each) => each.id === id)
        return [`${fault === 'initials' ? 'initials' : 'statement'}-${at}`, words[fault]]
      }),
    )
  }
  function submit(event: Event): void {
    event.preventDefault()
    if (!form.current) return
    const part = readStatements(form.current, conditions)
    const found = currentFaults({ ...work, ...part })
    change(part)
    setFaults(found)
    if (!Object.keys(found).length) next()
  }
  return (
    <form
      ref={form}
      noValidate
      onSubmit={submit}
      onInput={(event) => {
        clearOnInput(event)
        change(readStatements(event.currentTarget, conditions))
      }}
    >
      <p class="lead">{t('consent.statementsLead')}</p>
      {conditions.map((condition, at) => (
        <Statement
          key={condition.id}
          condition={condition}
          at={at}
          work={work}
          faults={[faults[`statement-${at}`], faults[`initials-${at}`]]}
        />
      ))}
      <StepActions flow={flow} />
    </form>
  )
}

type Props = { condition: Condition; at: number; work: ConsentInput; faults: readonly (string | undefined)[] }

function Statement({ condition, at, work, faults: [fault, initialsFault] }: Props) {
  const { t } = useTranslator()
  const { id, title, description, optional, requiresInitials } = condition
  const chosen = work.confirmations[id]
  const yes = { value: 'yes', label: t('consent.confirm') }
  const no = { value: 'no', label: t('consent.decline') }
  return (
    <section class={`card consent-statement ${optional ? 'free' : 'needed'}`}>
      <p class="badge">{t(optional ? 'consent.optional' : 'consent.required')}</p>
      <Choice
        label={title}
        note={description ?? undefined}
        name={`statement-${at}`}
        isMultiple={!optional}
        isOfStudy="label"
        initial={chosen === undefined ? [] : [chosen ? 'yes' : 'no']}
        fault={fault}
        options={optional ? [yes, no] : [yes]}
      />
      {optional && <p class="note">{t('consent.optionalNote')}</p>}
      {requiresInitials && chosen && (
        <Field
          label={t('consent.initials')}
          note={t('consent.initialsNote')}
          name={`initials-${at}`}
          initial={work.initials[id]}
          maxLength={10}
          autoComplete="off"
          fault={initialsFault}
        />
      )}
    </section>
  )
}
