import { Choice, Field } from '#web/kit/ui/components'
import type { Method } from './requests'
import { methodNames } from './titles'
import { useTranslator } from './translator'

/** The choice of a way to be reached. @param methods those that one may choose; a single one is not asked for */
export function MethodChoice({
  methods,
  chosen,
  label,
}: {
  methods: readonly Method[]
  chosen: Method
  label: string
}) {
  const translator = useTranslator()
  if (methods.length < 2) return null
  const names = methodNames(translator)
  return (
    <Choice
      label={label}
      name="method"
      initial={[chosen]}
      options={methods.map((method) => ({ value: method, label: names[method] }))}
    />
  )
}

type Props = { method: Method; fault: string | undefined; initial?: string | undefined; isPrivate?: boolean }

/** The field for an address. @param isPrivate on a device of others: the browser offers no address that somebody entered before */
export function AddressField({ method, fault, initial, isPrivate }: Props) {
  const { t } = useTranslator()
  const own = { name: 'address', maxLength: 200, fault, initial }
  if (method === 'email') {
    return (
      <Field
        key="email"
        {...own}
        label={t('consent.emailAddress')}
        type="email"
        autoComplete={isPrivate ? 'off' : 'email'}
      />
    )
  }
  return (
    <Field
      key="phone"
      {...own}
      label={t('consent.phoneNumber')}
      note={t('consent.phoneNote')}
      inputMode="tel"
      autoComplete={isPrivate ? 'off' : 'tel'}
    />
  )
}
