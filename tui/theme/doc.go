// Package theme owns how the dashboard looks: colours by meaning (tones), signs and borders, for dark and light
// backgrounds, for terminals with few colours or none, and for locales that have ASCII alone. It reads the environment it is
// given and never asks the terminal anything, so that a start cannot stall. It knows no word of what is shown.
package theme
