/** Names the pepper of API keys. */
export const CREDENTIAL_PEPPER = Symbol('CredentialPepper');
/** Names the settings of sign-in; null when sign-in is off. */
export const SIGN_IN = Symbol('SignIn');
