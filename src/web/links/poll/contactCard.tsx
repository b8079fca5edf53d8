/** How somebody who answers a poll can be reached, where the poll asks for it. */
import type { Ref } from 'preact'
import { Field, Notice } from '#web/kit/ui/components'
import { useTranslator } from '#web/links/texts'
import { type ContactMethod, Proof } from './proof'

/** What a poll asks for. */
export type ContactRequest = {
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
  contactRequest: ContactRequest
  path: string
  entry: string
  confirmed: ByContact
  faults: ByContact
  place: Ref<HTMLElement>
  onConfirmed: (confirmed: ByContact) => void
  onTouched: () => void
}

export function ContactCard({ contactRequest, path, entry, confirmed, faults, place, onConfirmed, onTouched }: Props) {
  const { t } = useTranslator()
  const { asksEmail, asksPhone, provenContacts, readOutContacts, consentedContacts, answersOnce } = contactRequest
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
      <h2 id="contact">{t('poll.contact')}</h2>
      <Notice kind="info">
        <p>{t('poll.contactNote')}</p>
        {provenContacts.length > 0 && <p>{t('poll.proofNote')}</p>}
        {answersOnce && <p>{t('poll.onceNote')}</p>}
      </Notice>
      {asksEmail &&
        (provenContacts.includes('email') ? (
          proof('email')
        ) : (
          <Field
            label={t('poll.email')}
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
            label={t('poll.phone')}
            name="phone"
            maxLength={40}
            note={t('poll.phoneNote')}
            autoComplete="tel"
            fault={faults.phone}
          />
        ))}
    </section>
  )
}
