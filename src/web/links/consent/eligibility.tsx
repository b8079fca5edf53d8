/** Who can take part. */
import { studyText } from '#web/kit/language/studyText'
import { Choice, Notice } from '#web/kit/ui/components'
import { StepActions } from './stepActions'
import { useTranslator } from './translator'
import { useFaults } from './useFaults'
import type { Flow } from './useFlow'

export function Eligibility({ flow }: { flow: Flow }) {
  const { t } = useTranslator()
  const { session, work, change, next } = flow
  const { form, faults, setFaults } = useFaults()

  function submit(event: Event): void {
    event.preventDefault()
    if (work.isEligible) next()
    else setFaults({ eligible: t('consent.notEligible') })
  }
  return (
    <form
      ref={form}
      noValidate
      onSubmit={submit}
      onChange={({ currentTarget }) => {
        const isEligible = new FormData(currentTarget).get('eligible') !== null
        change({ isEligible })
        if (isEligible) setFaults({})
      }}
    >
      <p class="lead">{t('consent.eligibilityLead')}</p>
      <section class="card">
        <p class="lines-kept" {...studyText(session.sheet.eligibilityCriteria)}>
          {session.sheet.eligibilityCriteria}
        </p>
        <Choice
          label={t('consent.eligibilityQuestion')}
          name="eligible"
          isMultiple
          initial={work.isEligible ? ['yes'] : []}
          fault={faults.eligible}
          options={[{ value: 'yes', label: t('consent.eligible') }]}
        />
      </section>
      {faults.eligible && <Notice kind="info">{t('consent.notEligibleNote')}</Notice>}
      <StepActions flow={flow} />
    </form>
  )
}
