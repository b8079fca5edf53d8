/** How somebody who answers a poll can be reached, where the poll asks for it. */
import type { Ref } from 'preact'
import { Field, Notice } from '#web/ui/components'
import { useSpeaker } from '../speaking'
import { type ContactMethod, Proof } from './proof'

/** What a poll asks for. */
export type Asked = {
  asksEmail: boolean
  asksPhone: boolean
  provenContacts: readonly ContactMethod[]
  readOutContacts: readonly ContactMethod[]
  consentedContacts: readonly ContactMethod[]
  answersOnce: boolean
}

/** Addresses or faults, by contact. */
export type ByContact = Partial<Record<ContactMethod, string>>

type Props = {
  asked: Asked
  path: string
  entry: string
  confirmed: ByContact
  faults: ByContact
  place: Ref<HTMLElement>
  onConfirmed: (confirmed: ByContact) => void
  onTouched: () => void
}

export function ContactCard({ asked, path, entry, confirmed, faults, place, onConfirmed, onTouched }: Props) {
  const { say } = useSpeaker()
  const { asksEmail, asksPhone, provenContacts, readOutContacts, consentedContacts, answersOnce } = asked
  const proof = (method: ContactMethod) => (
    <Proof
      key={`${method} ${entry}`}
      {...{ method, path, entry, onTouched }}
      isReadOut={readOutContacts.includes(method)}
      isConsented={consentedContacts.includes(method)}
      confirmed={confirmed[method]}
      fault={faults[method]}
      onConfirmed={(address) => onConfirmed({ [method]: address })}
    />
  )
  return (
    <section class="card" ref={place} aria-labelledby="contact">
      <h2 id="contact">{say('poll.contact')}</h2>
      <Notice kind="info">
        <p>{say('poll.contactNote')}</p>
        {provenContacts.length > 0 && <p>{say('poll.proofNote')}</p>}
        {answersOnce && <p>{say('poll.onceNote')}</p>}
      </Notice>
      {asksEmail &&
        (provenContacts.includes('email') ? (
          proof('email')
        ) : (
          <Field
            label={say('poll.email')}
            name="email"
            type="email"
            maxLength={200}
            autoComplete="email"
            fault={faults.email}
          />
        ))}
      {asksPhone &&
        (provenContacts.includes('phone') ? (
          proof('phone')
        ) : (
          <Field
            label={say('poll.phone')}
            name="phone"
            maxLength={40}
            note={say('poll.phoneNote')}
            autoComplete="tel"
            fault={faults.phone}
          />
        ))}
    </section>
  )
}
