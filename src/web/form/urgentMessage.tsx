/** An urgent message of a form, over the whole screen until the person says that they have read it. */
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { studyText } from '#web/kit/language/studyText'
import { Button, Icon } from '#web/kit/ui/components'
import { PhoneLinks } from './phoneLinks'
import { useFormTranslator } from './translator'

type Props = {
  message: string
  /** What it is about. */
  about: ComponentChildren
  /** Where it can be read again. */
  whereAgain?: string
  onRead: () => void
}

export function UrgentMessage({ message, about, whereAgain, onRead }: Props) {
  const { t } = useFormTranslator()
  const id = useId()
  const element = useRef<HTMLDialogElement>(null)
  const open = () => {
    if (element.current?.isConnected && !element.current.open) element.current.showModal()
  }
  useEffect(() => {
    const before = document.activeElement
    open()
    return () => {
      // The button that sent the form is gone: who uses the keyboard goes on at the heading.
      const isThere = before instanceof HTMLElement && before.isConnected && before !== document.body
      const next = isThere ? before : document.querySelector<HTMLElement>('main h1')
      next?.focus()
    }
  }, [])
  return (
    <dialog
      ref={element}
      class="urgent"
      role="alertdialog"
      aria-labelledby={id}
      aria-describedby={`${id}-text`}
      // It was read when the person says so, and not by a key. Browsers close it all the same when they are asked twice.
      onKeyDown={(event) => event.key === 'Escape' && event.preventDefault()}
      onCancel={(event) => event.preventDefault()}
      onClose={open}
    >
      <div class="urgent-content">
        <h2 id={id}>
          <Icon name="warning" />
          {t('said.urgent')}
        </h2>
        <p class="urgent-text" id={`${id}-text`} {...studyText(message)}>
          <PhoneLinks text={message} />
        </p>
        <p class="note">{about}</p>
        <Button kind="main" onPress={onRead}>
          {t('said.read')}
        </Button>
        {whereAgain && <p class="note">{whereAgain}</p>}
      </div>
    </dialog>
  )
}
