/** Signing in, for the front ends of staff. */
export { translateProofRefusal } from './proofRefusal'
export { type Session, SignInForm } from './signInForm'
