/** What the app reads of the API: the fields that its pages show. */
import type { ConsentNeeded } from '#web/form/stage'

export type { ConsentNeeded }

export type Me = {
  participant: {
    _id: string
    id: string
    pushAvailable: boolean
    emailAvailable: boolean
    smsAvailable: boolean
    whatsappAvailable: boolean
    timezone: string | null
    language: string | null
    isWithdrawn: boolean
  }
  zone: string
  pushHere: boolean
  trial: {
    _id: string
    name: string
    code: string
    sponsor: string | null
    description: string | null
    team: { name: string }
    languages: readonly string[]
    features: Readonly<Record<string, boolean>>
    pushPublicKey: string | null
  }
  /** The consent without which nothing is taken; absent if nothing is missing. */
  consentNeeded?: ConsentNeeded
  sites: readonly {
    _id: string
    name: string
    contactName: string | null
    contactEmail: string | null
    contactPhone: string | null
    addressLine1: string | null
    addressLine2: string | null
    addressCity: string | null
    addressPostCode: string | null
    addressCountry: string | null
  }[]
}

/** A form in the timeline, once for each time that it is due. */
export type TimelineEntry = {
  /** `<stage>` or `<stage>::<n>`. */
  _id: string
  name: string
  description: string
  enabled: boolean
  completed: boolean
  completedAt: string | null
  enableAt: string | null
  expiresAt?: string | null
  expired: boolean
  adHoc: boolean
  /** Whether it should have been completed by now. */
  behind?: boolean
}

export type Timeline = { stages: readonly TimelineEntry[]; ratioComplete: number }

export type Attachment = { fileName: string; name: string; type: string; size: number; url: string }

export type Message = {
  _id: string
  createdAt: string
  type: string
  title: string | null
  message: string
  attachments: readonly Attachment[]
  isRead: boolean
  readAt: string | null
  sender: { type: 'team' | 'participant' | 'system'; name: string | null }
}

export type Thread = { messages: readonly Message[]; earlierMessages: boolean; unreadCount: number }

export type OwnEvent = {
  _id: string
  title: string
  description: string | null
  startsAt: string
  duration: number | null
  personnelNames: readonly string[]
}

export type OwnMeeting = {
  _id: string
  name: string
  startAt: string
  duration: number | null
  personnelNames: readonly string[]
  joinUrl: string | null
  joinFrom: string
  joinUntil: string
}

export type Resource = {
  _id: string
  type: 'file' | 'link' | 'video' | 'youtube' | 'text'
  title: string
  description: string | null
  originalName: string | null
  mimeType: string | null
  size: number | null
  linkUrl: string | null
  youtubeUrl: string | null
  html: string | null
  url: string | null
  needsInternet: boolean
}

export type Connection = {
  service: 'fitbit' | 'garmin' | 'dexcom'
  status: 'none' | 'connected' | 'revoked' | 'disconnected'
  connectedAt: string | null
  lastSyncAt: string | null
  problem: string | null
  isAvailable: boolean
  canConnect: boolean
}

export type Reward = {
  _id: string
  createdAt: string
  brandName: string
  status: 'issued' | 'pending'
  isReady: boolean
  amount: number
  currency: string
  expiresOn: string | null
  revealedAt: string | null
}

export type RewardCode = { code: string; pin: string | null; url: string | null; expiresOn: string | null }

export const meals = ['breakfast', 'lunch', 'dinner', 'snack', 'other'] as const
export type Meal = (typeof meals)[number]
export type Portion = { size: number; unit: 'grams'; description?: string | null }

export type FoodEntry = {
  _id: string
  createdByType: 'user' | 'participant'
  date: string
  meal: Meal
  portion: Portion
  quantity: number
  food: { name: string; brand: string | null }
  grams: number
}

export type Food = { foodId: number; name: string; brand: string | null; portions: readonly Portion[] }
