import { speaking } from '#web/ui/components'
import type { Speaker } from './texts'

export const { Provider: AppSpeaking, use: useSpeaker } = speaking<Speaker>()
