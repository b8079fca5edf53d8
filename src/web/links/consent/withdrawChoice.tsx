/** The consents with an address, of which somebody withdraws some. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { ask } from '#web/kit/api/send'
import { Button, Choice, Field, Notice } from '#web/kit/ui/components'
import { codeOf, failureText, type WithdrawableConsent, type Withdrawals } from './requests'
import { useTranslator } from './translator'
import { useFaults } from './useFaults'

type Props = { path: string; onDone: () => void; onEnded: () => void } & Withdrawals

const CHOICE_TEXTS = {
  keep: ['withdraw.keep', 'withdraw.keepNote'],
  erasePersonalInformation: ['withdraw.erase', 'withdraw.eraseNote'],
  deleteAnswers: ['withdraw.delete', 'withdraw.deleteNote'],
} as const

export function WithdrawChoice({ path, consents, choices, onDone, onEnded }: Props) {
  const translator = useTranslator()
  const { t, day } = translator
  const { form, faults, setFaults, clearOnInput } = useFaults()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const open = consents.filter(({ withdrawnAt }) => withdrawnAt === null)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])

  async function submit(event: Event): Promise<void> {
    event.preventDefault()
    if (isBusy || !form.current) return
    const data = new FormData(form.current)
    const chosen = data.getAll('consents').map(String)
    setProblem(undefined)
    setFaults(chosen.length ? {} : { consents: t('withdraw.choose') })
    if (!chosen.length) return
    setBusy(true)
    const reason = `${data.get('reason') ?? ''}`.trim() || null
    const answer = await ask<unknown>(translator, 'POST', path, {
      body: { consents: chosen, reason, ...(data.get('data') ? { data: data.get('data') } : {}) },
    })
    setBusy(false)
    if (answer.isDone) onDone()
    else if (answer.status === 404 && answer.isRefusal) onEnded()
    else setProblem(codeOf(answer) === 'consentedStill' ? t('withdraw.still') : failureText(translator, answer))
  }
  const dayOf = (moment: string) => day(moment.slice(0, 10))
  const consentLabel = ({ fullName, createdAt }: WithdrawableConsent) =>
    fullName
      ? t('withdraw.given', { name: fullName, day: dayOf(createdAt) })
      : t('withdraw.givenOn', { day: dayOf(createdAt) })
  return (
    <form class="card" ref={form} noValidate onInput={clearOnInput} onSubmit={(event) => void submit(event)}>
      <h2 ref={heading} tabIndex={-1}>
        {t(open.length ? 'withdraw.which' : 'withdraw.all')}
      </h2>
      {open.length > 0 ? (
        <Choice
          label={t('withdraw.yours')}
          name="consents"
          isMultiple
          initial={open.length === 1 ? open.map(({ _id }) => _id) : []}
          fault={faults.consents}
          options={consents.map((each) => ({
            value: each._id,
            label: consentLabel(each),
            ...(each.withdrawnAt === null
              ? {}
              : { note: t('withdraw.before', { day: dayOf(each.withdrawnAt) }), isDisabled: true }),
          }))}
        />
      ) : (
        <ul class="plain-list">
          {consents.map((each) => (
            <li key={each._id}>
              {consentLabel(each)} · {t('withdraw.before', { day: dayOf(each.withdrawnAt ?? each.createdAt) })}
            </li>
          ))}
        </ul>
      )}
      {open.length > 0 && (
        <>
          {choices.length > 1 && (
            <Choice
              label={t('withdraw.data')}
              name="data"
              initial={choices.slice(0, 1)}
              options={choices.map((value) => ({
                value,
                label: t(CHOICE_TEXTS[value][0]),
                note: t(CHOICE_TEXTS[value][1]),
              }))}
            />
          )}
          <Field
            label={t('withdraw.reason')}
            note={t('withdraw.reasonNote')}
            name="reason"
            type="lines"
            maxLength={1000}
            isOptional
          />
          {problem && <Notice kind="fault" title={problem} isLive />}
          <Button kind="danger" type="submit" isBusy={isBusy}>
            {t('withdraw.send')}
          </Button>
        </>
      )}
    </form>
  )
}
