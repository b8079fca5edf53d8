/** Who can take part. */
import { studyText } from '#web/common/studyText'
import { Choice, Notice } from '#web/ui/components'
import { useSpeaker } from './speaking'
import { StepActions } from './stepActions'
import { useFaults } from './useFaults'
import type { Flow } from './useFlow'

export function Eligibility({ flow }: { flow: Flow }) {
  const { say } = useSpeaker()
  const { session, work, change, next } = flow
  const { form, faults, setFaults } = useFaults()

  function submit(event: Event): void {
    event.preventDefault()
    if (work.isEligible) next()
    else setFaults({ eligible: say('consent.notEligible') })
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
      <p class="lead">{say('consent.eligibilityLead')}</p>
      <section class="card">
        <p class="lines-kept" {...studyText(session.sheet.eligibilityCriteria)}>
          {session.sheet.eligibilityCriteria}
        </p>
        <Choice
          label={say('consent.eligibilityQuestion')}
          name="eligible"
          isMultiple
          initial={work.isEligible ? ['yes'] : []}
          fault={faults.eligible}
          options={[{ value: 'yes', label: say('consent.eligible') }]}
        />
      </section>
      {faults.eligible && <Notice kind="info">{say('consent.notEligibleNote')}</Notice>}
      <StepActions flow={flow} />
    </form>
  )
}
