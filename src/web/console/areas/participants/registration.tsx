import { useRef } from 'preact/hooks'
import { useStudy } from '#web/console/data/study'
import { Dialog, Field, Notice, Select, useForm } from '#web/kit/ui/components'
import { type Participant, register } from './list'
import { participants } from './texts'

type Props = { onDone: (participant: Participant) => void; onClose: () => void }

/** A dialog in which somebody registers a participant by their ID. */
export function Registration({ onDone, onClose }: Props) {
  const { t } = participants.useTranslator()
  const { _id, groups } = useStudy()
  const form = useRef<HTMLFormElement>(null)
  const { submit, isBusy, faults } = useForm(async ({ participantId = '', group }) => {
    const answer = await register(_id, participantId, group)
    if (answer.isDone) onDone(answer.body)
    return answer
  })
  const action = { label: t('participants.register'), isBusy, onPress: () => form.current?.requestSubmit() }
  return (
    <Dialog title={t('participants.registerTitle')} action={action} onClose={onClose}>
      <form ref={form} onSubmit={submit}>
        <Field
          label={t('participants.id')}
          name="participantId"
          note={t('participants.idNote')}
          fault={faults.fields.participantId}
          autoComplete="off"
        />
        {groups.length > 0 && (
          <Select
            label={t('filter.group')}
            name="group"
            isOptional
            options={[
              { value: '', label: t('participants.noGroup') },
              ...groups.map((each) => ({ value: each._id, label: each.name })),
            ]}
          />
        )}
        {faults.message && <Notice kind="fault" title={faults.message} isLive />}
      </form>
    </Dialog>
  )
}
