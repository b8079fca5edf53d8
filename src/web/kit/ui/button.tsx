import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon'

type ButtonStyle = {
  /** `main` for the one action that a page is about, `danger` for what cannot be undone, `quiet` for all others. */
  kind?: 'main' | 'quiet' | 'danger'
  icon?: IconName
  children: ComponentChildren
}

type Props = ButtonStyle & {
  type?: 'button' | 'submit'
  /** Waits for the server. It stays in reach of the keyboard, and does nothing. */
  isBusy?: boolean
  isDisabled?: boolean
  /** A name for screen readers, if the text alone is not enough. */
  label?: string | undefined
  id?: string | undefined
  onPress?: () => void
}

export function Button({
  kind = 'quiet',
  icon,
  children,
  type = 'button',
  isBusy,
  isDisabled,
  label,
  id,
  onPress,
}: Props) {
  const press = (event: Event) => {
    if (isBusy) event.preventDefault()
    else onPress?.()
  }
  return (
    <button
      type={type}
      id={id}
      class={`button ${kind}`}
      aria-busy={isBusy ? 'true' : undefined}
      aria-disabled={isBusy ? 'true' : undefined}
      aria-label={label}
      disabled={isDisabled}
      onClick={press}
    >
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </button>
  )
}

/** A link that looks like a button: it leads to another page. */
export const ButtonLink = ({ kind = 'quiet', icon, children, href }: ButtonStyle & { href: string }) => (
  <a class={`button ${kind}`} href={href}>
    {icon && <Icon name={icon} />}
    <span>{children}</span>
  </a>
)
