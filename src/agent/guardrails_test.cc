#include "agent/guardrails.h"

#include <gtest/gtest.h>
