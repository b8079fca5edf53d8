import type { ComponentChildren } from 'preact'
import { Icon } from './icon'

type Props = {
  kind: 'info' | 'success' | 'warning' | 'fault'
  title?: string
  children?: ComponentChildren
  /** Whether it appears because of what the person did: screen readers say it at once. */
  isLive?: boolean
}

/** Something that the person should know, where it matters. */
export const Notice = ({ kind, title, children, isLive }: Props) => (
  <div class={`notice ${kind}`} role={isLive ? (kind === 'fault' ? 'alert' : 'status') : undefined}>
    <Icon name={kind} />
    <div>
      {title && (
        <p class="notice-title" dir="auto">
          {title}
        </p>
      )}
      {children && <div dir="auto">{children}</div>}
    </div>
  </div>
)
