#!/bin/bash
echo "the class's own words: before"
