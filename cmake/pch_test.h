// Precompiled for every test binary.
#pragma once
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pch.h"
